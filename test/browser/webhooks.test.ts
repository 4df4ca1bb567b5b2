// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { usePages } from '../support/browser.ts';
import { expectSound } from '../support/expectSound.ts';
import { type Hook, makeHook } from '../support/makeHook.ts';
import { raiseEvents } from '../support/raiseEvents.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { firstTenant, type Tenant } from '../support/tenants.ts';
import { until } from '../support/until.ts';
import { useWorld } from '../support/world.ts';

/** What a hostile receiver answers. */
const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

describe('the pages of webhooks', () => {
  const world = useWorld({ WEBHOOK_CIRCUIT_AFTER: '0', WEBHOOK_DISABLE_AFTER: '0', WEBHOOK_RETRY_SECONDS: '3600' });
  const pages = usePages(world);
  let mine: Tenant;
  let receiver: Receiver;
  const hooks: Record<'fine' | 'html' | 'failing' | 'down', Hook> = {} as never;

  before(async () => {
    mine = await firstTenant(world);
    receiver = await startReceiver((request, response) => {
      if (request.url === '/html') response.setHeader('Content-Type', 'text/html').end(HOSTILE);
      else if (request.url === '/fail') response.writeHead(500, { 'X-Powered-By': HOSTILE }).end(HOSTILE);
      else response.end('ok');
    });
  });
  after(() => receiver.close());

  const make = (path: string, more: object = {}) =>
    makeHook(mine.api, { url: new URL(path, receiver.url).href, event_types: ['link.archived'], ...more });
  const logOf = ({ id }: Hook) => `/app/webhooks/${id}/deliveries`;
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const firstRow = (page: Page) => page.getByRole('list', { name: 'Deliveries' }).getByRole('button').first();
  it('say what webhooks are for where there is none', async () => {
    const page = await pages.open();
    await page.goto('/app/webhooks');
    await expectSound(page, 'webhooks-none', () => page.getByText('Receive an event at your server').waitFor());
  });

  describe('with receivers that answer, refuse, or are down', () => {
    before(async () => {
      hooks.fine = await make('/fine', { description: 'Billing', event_types: ['*'] });
      hooks.html = await make('/html');
      hooks.failing = await make('/fail');
      hooks.down = await makeHook(mine.api, { url: 'http://127.0.0.1:1999/hook', event_types: ['link.archived'] });
      await raiseEvents(mine, 2, 'link.archived');
      for (const hook of Object.values(hooks)) {
        await hook.untilDeliveries(2, ({ attempts }) => attempts.length > 0, 'attempts');
      }
    });

    it('list them with how the last day went, in words too', async () => {
      const page = await pages.open();
      await page.goto('/app/webhooks');
      const row = page.getByRole('row').filter({ hasText: '/fine' });
      await row.getByRole('img', { name: '2 delivered, 0 failed' }).waitFor();
      expect(await row.textContent())
        .to.contain('100% delivered')
        .and.to.contain('Billing');
      expect(await page.getByRole('row').filter({ hasText: '/fail' }).textContent()).to.contain('2 waiting');
      await expectSound(page, 'webhooks-list', () => page.getByText('100% delivered').first().waitFor());
    });

    it('show what a hostile receiver answers as text', async () => {
      const page = await pages.open();
      for (const hook of [hooks.html, hooks.failing]) {
        await page.goto(logOf(hook));
        await firstRow(page).click();
        await page.getByText(HOSTILE).first().waitFor();
        expect(await page.locator('img[src="x"]').count()).to.equal(0);
        expect(await page.title()).to.contain('svc');
      }
      expect(await page.getByText(HOSTILE).count()).to.equal(2);
      await page.getByText('The endpoint answered 500').first().waitFor();
      await expectSound(page, 'webhooks-failing', () => page.getByText(HOSTILE).first().waitFor());
    });

    it('say in words why a delivery fails, and when the next try is', async () => {
      const page = await pages.open();
      await page.goto(logOf(hooks.down));
      await firstRow(page).click();
      await page.getByText('Is your server running').waitFor();
      expect(await page.getByText('Could not connect').count()).to.be.at.least(1);
      await page.getByText(/Next try in \d/).waitFor();
    });

    it('move by j and k, and resend by r', async () => {
      const page = await pages.open();
      await page.goto(logOf(hooks.fine));
      await firstRow(page).waitFor();
      await page.keyboard.press('j');
      await page.waitForURL(/open=dlv_/);
      const first = page.url();
      await page.keyboard.press('j');
      await page.waitForURL((url) => url.href !== first);
      await page.keyboard.press('k');
      await page.waitForURL(first);
      await page.getByText('Attempt 1').waitFor();
      await page.keyboard.press('r');
      await page.getByText('Attempt 2').waitFor();
      await page.getByText(/later$/).waitFor();
      await page.keyboard.press('Escape');
      await page.waitForURL((url) => !url.search.includes('open='));
    });

    it('keep filters in the address, over a reload too', async () => {
      const page = await pages.open();
      const [{ event_id: eventId, id }] = await hooks.fine.deliveries();
      await page.goto(logOf(hooks.fine));
      await page.getByRole('combobox', { name: 'Status' }).click();
      await page.getByRole('option', { name: 'Failed' }).click();
      await page.waitForURL(/status=failed/);
      await page.getByText('No deliveries match these filters.').waitFor();
      await page.reload();
      await page.getByText('No deliveries match these filters.').waitFor();
      expect(await page.getByRole('combobox', { name: 'Status' }).inputValue()).to.contain('Failed');
      await button(page, 'Clear filters').click();
      await firstRow(page).waitFor();
      const field = page.getByLabel('Event or delivery ID');
      await field.fill('nonsense');
      await field.press('Enter');
      await page.getByText('Enter an ID that starts with').waitFor();
      await field.fill(eventId);
      await field.press('Enter');
      await page.waitForURL(new RegExp(`event_id=${eventId}`));
      await until(
        async () => (await page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem').count()) === 1,
        'it',
      );
      await field.fill(id);
      await field.press('Enter');
      await page.waitForURL(new RegExp(`open=${id}`));
      await page.getByLabel('From', { exact: true }).fill('2040-01-01T00:00');
      await page.waitForURL(/created_after=2039-12-31T23%3A00|created_after=2039-12-31T23:00/);
      await page.getByText('No deliveries match these filters.').waitFor();
    });

    it('show each event with its deliveries', async () => {
      const page = await pages.open();
      await page.goto('/app/webhooks/events?type=link.archived');
      await page.getByText('Payload and deliveries').first().click();
      await page.waitForURL(/open=evt_/);
      await expectSound(page, 'webhooks-events', () => page.getByRole('link', { name: /fail$/ }).waitFor());
    });
  });

  it('send a test and show the answer in place, and rotate the secret with an overlap', async () => {
    const hook = await make('/tested');
    const page = await pages.open();
    await page.goto(`/app/webhooks/${hook.id}?tab=test`);
    await button(page, 'Send test event').click();
    await page.getByText('Delivered: the endpoint answered 200').waitFor();
    await page.getByText('SVC-Signature', { exact: true }).waitFor();
    await expectSound(page, 'webhooks-test-answer');
    await page.goto(`/app/webhooks/${hook.id}?tab=settings`);
    await page.getByText(`whsec_…${hook.secret.slice(-4)}`).waitFor();
    await button(page, 'Rotate secret').click();
    await page.getByLabel('I have stored it').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByText(/stops signing/).waitFor();
    await expectSound(page, 'webhooks-settings', () => page.getByText(/stops signing/).waitFor());
  });

  it('lets a link be chosen by name, and shows what is sent', async () => {
    await mine.api('POST', '/links', { destination: 'https://example.com/', slug: 'hooked' });
    const page = await pages.open();
    await page.goto('/app/webhooks/new');
    await page.getByText('See an example of what is sent').click();
    await page.getByText('"link.created"').waitFor();
    await page.getByRole('radio', { name: 'Selected events' }).check();
    await expectSound(page, 'webhooks-new');
    await page.getByRole('radio', { name: 'All events' }).check();
    await page.getByLabel('Endpoint URL').fill(new URL('/of-a-link', receiver.url).href);
    await page.getByRole('combobox', { name: 'Send events for' }).click();
    await page.getByRole('option', { name: 'A single link' }).click();
    await button(page, 'Create webhook').click();
    await page
      .getByText(/not found|does not exist|Must|link/i)
      .first()
      .waitFor();
    await page.getByRole('combobox', { name: 'Link' }).fill('hooked');
    await page.getByRole('option', { name: /hooked/ }).click();
    await button(page, 'Create webhook').click();
    await page
      .getByText(/^whsec_/)
      .first()
      .waitFor();
  });
});
