// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { usePages } from '../support/browser.ts';
import { useOwnWorld } from '../support/world.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const SLOW_MS = 5_000;

describe('a service that is away, slow or updated, seen from the dashboard', () => {
  const world = useOwnWorld();
  const pages = usePages(world);

  before(async () => {
    await world.api('POST', '/links', { destination: 'https://example.com/', slug: 'bad-day' });
  });

  const follow = () => fetch(`${world.origin}/bad-day`, { redirect: 'manual', headers: { 'User-Agent': CHROME } });

  /** Answers operations of that name with an error, or after a while. */
  const onOperation = (
    page: Page,
    name: string,
    act: (route: Parameters<Parameters<Page['route']>[1]>[0]) => unknown,
  ) =>
    page.route('**/graphql', (route) =>
      new RegExp(`(query|mutation) ${name}\\b`).test(route.request().postData() ?? '') ? act(route) : route.continue(),
    );
  const refuse = (route: { fulfill(answer: object): unknown }) =>
    route.fulfill({
      json: {
        data: null,
        errors: [{ message: 'Words of the server.', extensions: { code: 'conflict', requestId: 'req_1' } }],
      },
    });

  it('says that the service is away, keeps what was written, and goes on by itself', async () => {
    const page = await pages.open();
    pages.expectFault(/ERR_INTERNET_DISCONNECTED|failed: /);
    await page.goto('/app/links/new');
    await page.getByLabel('Title', { exact: true }).fill('kept through the outage');
    await page.context().setOffline(true);
    const banner = page.getByText('The service is not responding. Nothing you entered is lost');
    await banner.waitFor();
    await page.context().setOffline(false);
    await banner.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).to.equal('kept through the outage');
  });

  it('shows the clicks that happened while the service restarted', async () => {
    const page = await pages.open();
    pages.expectFault(/ERR_|failed: |503/);
    await page.goto('/app');
    await page.getByText('Clicks appear here as they happen.').waitFor();
    await follow();
    const clicks = page.getByRole('listitem').filter({ hasText: 'bad-day' }).filter({ hasText: 'Person' });
    await clicks.first().waitFor();
    await world.restart();
    await follow();
    await clicks.nth(1).waitFor({ timeout: 40_000 });
    expect(await clicks.count()).to.equal(2);
  });

  it('keeps its frame while an answer takes five seconds, and sends a form once', async () => {
    const page = await pages.open();
    const later = (route: { continue(): unknown }) => setTimeout(() => void route.continue(), SLOW_MS);
    await onOperation(page, 'Webhooks', later);
    await page.goto('/app/webhooks');
    await page.getByRole('status').filter({ hasText: 'Loading' }).first().waitFor();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    let sent = 0;
    await onOperation(page, 'CreateLink', (route) => {
      sent += 1;
      return later(route);
    });
    await page.goto('/app/links/new');
    await page.getByLabel('Destination').first().fill('https://example.com/slow');
    await page.getByText('They are sent to').waitFor();
    // Faster than any page is drawn again.
    await page.evaluate(`for (let times = 0; times < 3; times += 1)
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))`);
    await page.getByRole('heading', { name: 'Your link is ready' }).waitFor();
    expect(sent).to.equal(1);
  });

  it('shows what the server said, with its code and request id, and a way on', async () => {
    const page = await pages.open();
    await onOperation(page, 'Webhooks', refuse);
    await page.goto('/app/webhooks');
    const alert = page.getByRole('alert');
    await alert.getByText('Words of the server.').waitFor();
    expect(await alert.textContent())
      .to.contain('conflict')
      .and.to.contain('req_1');
    await page.unrouteAll();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await alert.waitFor({ state: 'detached' });
  });

  it('leaves the list standing when counts of it cannot be had', async () => {
    const page = await pages.open();
    await onOperation(page, 'LinkFacets', refuse);
    await page.goto('/app/links');
    await page
      .getByRole('link', { name: /bad-day/ })
      .first()
      .waitFor();
  });

  it('is loaded anew once when code of an earlier build is gone, and then says so', async () => {
    const page = await pages.open();
    pages.expectFault(/404|Failed to load resource|could not be loaded|assets|preload/);
    await page.route(/assets\/UnknownLinksPage/, (route) => route.fulfill({ status: 404, body: 'gone' }));
    let loads = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads += 1;
    });
    await page.goto('/app/analytics/unknown-links');
    await page.getByRole('alert').getByText('A part of this page could not be loaded.').waitFor();
    expect(loads).to.equal(2);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Unknown links', level: 1 }).waitFor();
    expect(loads).to.equal(3);
  });

  it('says within its frame that the service is away where code is missing, and goes on by itself', async () => {
    const page = await pages.open();
    pages.expectFault(/ERR_|failed: |Failed to load|could not be loaded|preload|elsewhere: chrome-error/);
    await page.goto('/app/links');
    await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
    await page.route(/assets|graphql|live/, (route) => route.abort('connectionrefused'));
    await page.getByRole('link', { name: 'Domains' }).click();
    await page.getByRole('heading', { name: 'The service is not responding', level: 2 }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    // Once: the banner about it gives way to the page.
    await page.getByText('Nothing you entered is lost').waitFor({ state: 'hidden' });
    await page.unrouteAll();
    await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor();
  });

  it('leads every tab to the sign-in page when the session has ended, and all go on after one sign-in', async () => {
    const page = await pages.open();
    pages.expectFault('401');
    await page.goto('/app/links');
    await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
    const other = await page.context().newPage();
    await other.goto('/app/webhooks');
    await other.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    // What a page asks for by itself would lead to the sign-in page before anybody clicks: it waits until somebody has.
    const clicked = Promise.withResolvers<void>();
    await page.context().route(/graphql|live/, (route) => clicked.promise.then(() => route.continue()));
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Analytics' }).click();
    await page.waitForURL(/analytics/);
    clicked.resolve();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByText('Your session ended.').waitFor();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Email').fill(world.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(world.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Analytics', level: 1 }).waitFor();
    await other.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  });

  it('says that what was written is kept when the session has ended, and shows it again after the sign-in', async () => {
    const page = await pages.open();
    pages.expectFault('401');
    await page.goto('/app/links/new');
    await page.getByLabel('Title', { exact: true }).fill('written before the end');
    await page.getByLabel('Destination').first().fill('https://example.com/written');
    await page.context().clearCookies();
    // What the page asks for by itself may have led to the sign-in page before.
    await page.keyboard.press('Control+Enter');
    await page.getByText('Your session ended.').waitFor();
    await page.getByText('What you typed is kept.').waitFor();
    await page.getByLabel('Email').fill(world.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(world.password);
    await page.keyboard.press('Enter');
    await page.getByLabel('Title', { exact: true }).waitFor();
    expect(await page.getByLabel('Destination').first().inputValue()).to.equal('https://example.com/written');
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).to.equal('written before the end');
  });
});
