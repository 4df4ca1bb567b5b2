// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { goWithin, untilTrue, usePages } from '../support/browser.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { firstTenant, makeTenant } from '../support/tenants.ts';
import { until } from '../support/until.ts';
import { useWorld } from '../support/world.ts';

/** Within which a click has become an event and its delivery, on a busy machine too. */
const TRAFFIC_MS = 120_000;
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** More than any page has before what is looked for. */
const MOST_TABS = 90;

/** What a screen reader would call the element that has the focus, near enough to find it. */
const FOCUSED_NAME = `(() => {
  const element = document.activeElement;
  const label = element.labels?.[0]?.textContent ?? '';
  return [element.getAttribute('aria-label') || label || element.textContent || ''].join('').trim();
})()`;

/** Goes on with the tabulator until something of this name has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const seen: string[] = [];
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    await page.keyboard.press('Tab');
    const focused = (await page.evaluate(FOCUSED_NAME)) as string;
    if (typeof name === 'string' ? focused.startsWith(name) : name.test(focused)) return;
    seen.push(focused.slice(0, 40));
  }
  throw new Error(`${name} has no place in the order of the tabulator: ${seen.join(' | ')}`);
}

async function press(page: Page, name: string | RegExp, key = 'Enter'): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

describe('the main job by keyboard alone', () => {
  const world = useWorld();
  const pages = usePages(world);
  let receiver: Receiver;

  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver.close());

  for (const width of [1440, 390]) {
    it(`leads from the sign-in to a click and its signed webhook, ${width} px wide`, async () => {
      const { projectId } = await makeTenant(world, (await firstTenant(world)).teamId);
      const page = await pages.open({ email: null, viewport: { width, height: 844 } });
      await page.goto(`/app/?project=${projectId}`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await tabTo(page, 'Email');
      await page.keyboard.type(world.email);
      await tabTo(page, 'Password');
      await page.keyboard.type(world.password);
      await page.keyboard.press('Enter');

      await page.getByLabel('URL to shorten').and(page.locator(':focus')).waitFor();
      await page.keyboard.type(`example.com/keyboard-${width}`);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Open link' }).waitFor();
      await tabTo(page, 'Open link');
      const url = (await page.evaluate('document.activeElement.href')) as string;
      await fetch(`${world.origin}${new URL(url).pathname}`, { redirect: 'manual', headers: { 'User-Agent': CHROME } });
      await page.getByText('Click received: Person.').waitFor();

      await page.getByRole('button', { name: 'Next: Add a webhook' }).waitFor();
      await press(page, 'Next: Add a webhook');
      await page.getByLabel('Endpoint URL').waitFor();
      await tabTo(page, /^Endpoint URL/);
      await page.keyboard.type(receiver.url);
      await page.keyboard.press('Enter');
      await page.getByText(/^whsec_/).waitFor();
      await press(page, 'Send test event');
      await page.getByText('Delivered: the endpoint answered').waitFor();
      await press(page, 'I have stored it', 'Space');
      await press(page, 'Hide');
      await page.getByText(/^whsec_/).waitFor({ state: 'detached' });

      await fetch(`${world.origin}${new URL(url).pathname}`, { redirect: 'manual', headers: { 'User-Agent': CHROME } });
      await receiver.waitFor(
        ({ body }) => body.includes('"link.clicked"') && body.includes(`keyboard-${width}`),
        'link.clicked',
        TRAFFIC_MS,
      );
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Search links, pages and actions').waitFor();
      await page.keyboard.type('Webhooks');
      await page
        .getByRole('option', { name: 'Webhooks', exact: true })
        .or(page.getByText('Webhooks'))
        .first()
        .waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
      // The palette gives the focus back when it closes, and nobody goes to a row before it is there.
      await page.getByPlaceholder('Search links, pages and actions').waitFor({ state: 'hidden' });
      await page.getByRole('link', { name: /127\.0\.0\.1/ }).waitFor();
      await press(page, /127\.0\.0\.1/);
      await page.getByRole('button', { name: /link\.clicked/ }).waitFor();
      await press(page, /link\.clicked/);
      await page.getByText('The signature explained').waitFor();
      expect(await page.getByText('Attempt 1').count()).to.be.at.least(1);
    });
  }
});

describe('what is typed after a navigation', () => {
  const world = useWorld();
  const pages = usePages(world);
  const TYPED = 'https://www.google.com/maps?c';

  /** Pages that begin with a field, and how they are reached. */
  const BEGIN_WITH_FIELD = [
    { path: '/links/new', field: /^Destination/, from: '/links', by: 'Create link', key: 'c' },
    { path: '/webhooks/new', field: /^Endpoint URL/, from: '/webhooks', by: 'New webhook' },
    { path: '/domains/new', field: /^Domain/, from: '/domains', by: 'Add domain' },
    { path: '/projects/new', field: /^Name/, from: '/', menu: /Switch project/, by: 'New project' },
    { path: '/teams/new', field: /^Team name/, from: '/team', by: 'New team' },
  ];
  const field = (page: Page, name: RegExp) => page.locator('#content').getByRole('textbox', { name });

  for (const { path, field: name, from, by, key, menu } of BEGIN_WITH_FIELD)
    it(`is in the field with which ${path} begins, and opens no other page`, async () => {
      const page = await pages.open();
      const expectTyped = async () => {
        const value = () => page.evaluate('document.activeElement.value');
        await until(async () => (await value()) === TYPED, `${TYPED} in the field`);
        expect(new URL(page.url()).pathname).to.equal(`/app${path}`);
        await field(page, name).fill('');
      };
      await page.goto(`/app${path}`);
      await field(page, name).and(page.locator(':focus')).waitFor();
      await page.keyboard.type(TYPED);
      await expectTyped();

      await page.goto(`/app${from}`);
      if (menu) await page.getByRole('button', { name: menu }).click();
      const way = page.getByRole('link', { name: by }).or(page.getByRole('button', { name: by }));
      await way.first().click();
      // Without a look at the page, as people type whose eyes are elsewhere.
      await page.keyboard.type(TYPED);
      await expectTyped();
      if (!key) return;

      await goWithin(page, `/app${from}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press(key);
      await page.keyboard.type(TYPED);
      await expectTyped();
    });
});

describe('the focus', () => {
  const world = useWorld();
  const pages = usePages(world);
  const focusedName = (page: Page) => page.evaluate(FOCUSED_NAME) as Promise<string>;
  const focusOn = (page: Page, name: RegExp) =>
    until(async () => name.test(await focusedName(page)), `the focus on ${name}`);

  before(() => world.api('POST', '/links', { destination: 'https://example.com/', slug: 'focus-1' }));

  it('is on the first field of a dialog, and on the button that loses nothing in a confirmation', async () => {
    const page = await pages.open();
    await page.goto('/app/links');
    await page.getByRole('checkbox', { name: /focus-1/ }).press('Space');
    await page.getByRole('button', { name: 'Add tags' }).press('Enter');
    await page.keyboard.type('typed-at-once');
    const field = page.getByRole('dialog').getByRole('combobox', { name: 'Tags' });
    await until(async () => (await field.inputValue()) === 'typed-at-once', 'what was typed');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('typed-at-once').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByRole('dialog').waitFor();
    await focusOn(page, /^Cancel/);
  });

  it('goes by shortcuts again when a dialog has ended before its code came', async () => {
    await world.api('POST', '/links', { destination: 'https://example.com/', slug: 'focus-2' });
    const page = await pages.open();
    const held = Promise.withResolvers<void>();
    await page.route(/BulkProgressDialog-/, (route) => held.promise.then(() => route.continue()));
    await page.goto('/app/links');
    await page.getByRole('checkbox', { name: /focus-2/ }).check();
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('1 link archived').waitFor();
    await page.keyboard.press('/');
    await focusOn(page, /^Search short URLs/);
    await page.keyboard.type('focus');
    expect(await page.evaluate('document.activeElement.value')).to.equal('focus');
    held.resolve();
  });

  it('goes to a neighbour of a control that disappears, and Ctrl+Enter saves from anywhere on the page', async () => {
    const page = await pages.open();
    await page.goto('/app/links/new');
    await page.getByLabel('Destination').first().fill('https://example.com/a?utm_source=mail');
    await page.getByRole('button', { name: /^Move UTM/ }).press('Enter');
    await focusOn(page, /^Destination/);
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Your link is ready' }).waitFor();

    await page.goto('/app/links/new');
    await page.locator('summary', { hasText: 'Routing rules' }).click();
    for (let rule = 0; rule < 2; rule += 1) await page.getByRole('button', { name: 'Add rule' }).press('Enter');
    await page.getByRole('group', { name: 'Rule 1' }).getByRole('button', { name: 'Remove rule' }).press('Enter');
    await page.getByRole('group', { name: 'Rule 2' }).waitFor({ state: 'detached' });
    await focusOn(page, /^Remove rule/);
    await page.keyboard.press('Enter');
    await page.getByRole('group', { name: 'Rule 1' }).waitFor({ state: 'detached' });
    await until(async () => (await page.evaluate('document.activeElement.tagName')) !== 'BODY', 'any focus');
  });

  it('closes a dialog with Escape, and nothing behind it', async () => {
    await world.api('POST', '/links', { destination: 'https://example.com/kept' });
    const page = await pages.open();
    await page.goto('/app/links');
    await page
      .getByRole('checkbox', { name: /^Select .*\// })
      .first()
      .click();
    await page.getByRole('button', { name: 'Add tags' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add tags' });
    await untilTrue(page, "document.activeElement.matches('[role=dialog] input')");
    // Not in a field, where no key is a shortcut.
    await tabTo(page, 'Close');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('1 link selected').waitFor();
    await untilTrue(page, "document.activeElement.textContent === 'Add tags'");
    await page.keyboard.press('Escape');
    await page.getByText('1 link selected').waitFor({ state: 'detached' });
  });
});
