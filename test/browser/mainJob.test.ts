// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { usePages } from '../support/browser.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { useWorld } from '../support/world.ts';

/** Within which a click has become an event and its delivery, on a busy machine too. */
const TRAFFIC_MS = 120_000;
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
/** What a receiver answers when it is hostile. */
const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

describe('from a link to a signed webhook at the dashboard', () => {
  const world = useWorld();
  const pages = usePages(world);
  let receiver: Receiver;

  before(async () => {
    receiver = await startReceiver((_, response) => response.end(HOSTILE));
  });
  after(() => receiver.close());

  async function createLink(page: Page, slug: string): Promise<string> {
    await page.goto('/app/links/new');
    await page.getByLabel('Destination').first().fill(`https://example.com/${slug}`);
    await page.getByLabel('Slug').fill(slug);
    await page.getByText('They are sent to').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Your link is ready' }).waitFor();
    return page.getByLabel('Short link').inputValue();
  }

  it('creates a link by keyboard, and shows the click live', async () => {
    const page = await pages.open();
    const shortUrl = await createLink(page, 'browser-live');
    await page.getByRole('link', { name: 'Open the link’s page' }).press('Enter');
    await page.getByText('Clicks appear here as they happen.').waitFor();
    const path = new URL(shortUrl).pathname;
    await fetch(`${world.origin}${path}`, { redirect: 'manual', headers: { 'User-Agent': CHROME } });
    await page.getByRole('listitem').filter({ hasText: 'browser-live' }).getByText('Person').waitFor();
    // What the page says of the link follows, and so do its figures and cards.
    await page.getByRole('definition').filter({ hasText: /^1$/ }).waitFor();
    await page.getByText('No clicks yet').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'https://example.com/browser-live', exact: true }).waitFor();
  });

  it('adds a webhook, sends a test, and explains its signature', async () => {
    const page = await pages.open();
    await page.goto('/app/webhooks/new');
    await page.getByLabel('Endpoint URL').fill(receiver.url);
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const secret =
      (await page
        .getByText(/^whsec_/)
        .first()
        .textContent()) ?? '';
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('Delivered: the endpoint answered').waitFor();
    await page.getByLabel('I have stored it').check();
    await page.getByRole('button', { name: 'Continue to the webhook' }).click();
    await page.getByRole('button', { name: /link\.created/ }).click();
    await page.getByText('The signature explained').click();
    await page.getByLabel('Secret', { exact: true }).fill(secret);
    await page.getByRole('button', { name: 'Compute', exact: true }).click();
    await page.getByText('The signature is right.').waitFor();
    expect(await page.getByText(HOSTILE).count()).to.equal(1);
    expect(await page.title()).to.contain('svc');
  });

  it('sends link.clicked after the link was followed, and sends it again by hand', async () => {
    const page = await pages.open();
    const shortUrl = await createLink(page, 'browser-told');
    await fetch(`${world.origin}${new URL(shortUrl).pathname}`, {
      redirect: 'manual',
      headers: { 'User-Agent': CHROME },
    });
    await receiver.waitFor(
      ({ body }) => body.includes('"link.clicked"') && body.includes('browser-told'),
      'link.clicked',
      TRAFFIC_MS,
    );
    await page.goto('/app/webhooks');
    await page.getByRole('link', { name: /127\.0\.0\.1/ }).click();
    await page
      .getByRole('button', { name: /link\.clicked/ })
      .first()
      .click();
    const before = receiver.received.length;
    await page.getByRole('button', { name: 'Resend' }).click();
    await until(() => receiver.received.length > before, 'the repeat');
    await page.getByText('Attempt 2').waitFor();
  });

  it('keeps what was written in a form when the session ends, and comes back to it', async () => {
    const page = await pages.open();
    await page.goto('/app/links/new');
    await page.getByLabel('Destination').first().fill('https://example.com/');
    await page.getByLabel('Title', { exact: true }).fill('kept while I was away');
    await until(
      () => page.evaluate<boolean>(`JSON.stringify(sessionStorage).includes('kept while I was away')`),
      'the draft',
    );
    pages.expectFault('401');
    await page.context().clearCookies();
    // Nothing is looked for on this page any more: whatever it asks next may have taken it away by now.
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Email').fill(world.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(world.password);
    await page.keyboard.press('Enter');
    await page.getByText('is restored').waitFor();
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).to.equal('kept while I was away');
  });

  it('says who changed a link meanwhile, and overwrites it only when told to', async () => {
    const page = await pages.open();
    const shortUrl = await createLink(page, 'browser-twice');
    await page.getByRole('link', { name: 'Open the link’s page' }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Title', { exact: true }).fill('mine');
    const { body } = await world.api('GET', `/links/lookup?short_url=${encodeURIComponent(shortUrl)}`);
    expect((await world.api('PATCH', `/links/${body.id}`, { title: 'theirs' })).status).to.equal(200);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Someone else changed this link').waitFor();
    expect((await world.api('GET', `/links/${body.id}`)).body.title).to.equal('theirs');
    await page.getByRole('button', { name: 'Overwrite with mine' }).click();
    await page.getByText('mine').first().waitFor();
    expect((await world.api('GET', `/links/${body.id}`)).body.title).to.equal('mine');
  });
});
