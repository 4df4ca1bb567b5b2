// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { inTransaction } from '../../src/db/transactions.ts';
import { Delivery } from '../../src/models/Delivery.ts';
import { Team } from '../../src/models/Team.ts';
import { Webhook } from '../../src/models/Webhook.ts';
import { collectRefusals, goWithin, screenshot, usePages } from '../support/browser.ts';
import { expectSound } from '../support/expectSound.ts';
import { type Hook, makeHook } from '../support/makeHook.ts';
import { raiseEvents } from '../support/raiseEvents.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { firstTenant, memberSession, type Tenant } from '../support/tenants.ts';
import { until } from '../support/until.ts';
import { useWorld } from '../support/world.ts';

const MINUTE_MS = 60_000;
/** Within which events have got their deliveries, on a busy machine too. */
const OUTBOX_MS = 2 * MINUTE_MS;
const DAY_MS = 1440 * MINUTE_MS;

describe('the page of a webhook', () => {
  const world = useWorld({ WEBHOOK_CIRCUIT_AFTER: '0', WEBHOOK_DISABLE_AFTER: '0', WEBHOOK_RETRY_SECONDS: '3600' });
  const pages = usePages(world);
  let mine: Tenant;
  let receiver: Receiver;

  before(async () => {
    mine = await firstTenant(world);
    receiver = await startReceiver((request, response) =>
      response.writeHead(request.url === '/fail' ? 500 : 200).end(),
    );
  });
  after(() => receiver.close());

  const make = (path: string) =>
    makeHook(mine.api, { url: new URL(path, receiver.url).href, event_types: ['link.archived'] });
  const logOf = ({ id }: Hook) => `/app/webhooks/${id}/deliveries`;
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const change = (id: string, values: object) =>
    inTransaction((transaction) => Webhook.update(values, { where: { id }, transaction }));

  describe('that is half written', () => {
    it('is found again after a reload, and neither it nor its secret is lost without a question', async () => {
      const page = await pages.open();
      const leave = async (title: string) => {
        await page.getByRole('link', { name: 'Links', exact: true }).click();
        const dialog = page.getByRole('dialog', { name: title });
        await dialog.getByRole('button', { name: 'Stay' }).click();
        await dialog.waitFor({ state: 'detached' });
      };
      const url = new URL('/half', receiver.url).href;
      await page.goto('/app/webhooks/new');
      await page.getByLabel('Endpoint URL').fill(url);
      await until(() => page.evaluate<boolean>(`JSON.stringify(sessionStorage).includes('/half')`), 'the draft');
      await page.reload();
      await page.getByText('Your unsaved work is restored.').waitFor();
      expect(await page.getByLabel('Endpoint URL').inputValue()).to.equal(url);
      await leave('Leave without saving?');
      await button(page, 'Create webhook').click();
      await page.getByText(/^whsec_/).waitFor();
      await leave('Leave without the secret?');
      await page.getByLabel('I have stored it').check();
      await button(page, 'Continue to the webhook').click();
      await page.getByRole('main').getByRole('link', { name: 'Settings', exact: true }).click();
      await page.getByLabel('Description').fill('another');
      await leave('Leave without saving?');
      await button(page, 'Save changes').click();
      await page.getByText('Changes saved.').waitFor();
      await page.getByRole('link', { name: 'Links', exact: true }).click();
      await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
    });
  });

  it('says at each number what is wrong with it, by keyboard', async () => {
    const page = await pages.open();
    await page.goto('/app/webhooks/new');
    await page.getByLabel('Endpoint URL').fill(receiver.url);
    await page.getByLabel('Send events in batches').focus();
    await page.keyboard.press('Space');
    for (const number of ['0', '61', '101']) {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Control+a');
      await page.keyboard.type(number);
    }
    await page.keyboard.press('Enter');
    const wrong = async (name: string) => {
      const field = page.getByLabel(name);
      const described = (await field.getAttribute('aria-describedby')) ?? '';
      return Promise.all(described.split(' ').map((id) => page.locator(`[id="${id}"]`).textContent()));
    };
    await page.getByText('Must be at most 100.').waitFor();
    expect(await wrong('Most events in a request')).to.include('Must be at least 1.');
    expect(await wrong('Longest wait in seconds')).to.include('Must be at most 60.');
    expect(await page.getByRole('alert').count()).to.equal(0);
    await expectSound(page, 'webhooks-new-wrong');
  });

  describe('that gets nothing', () => {
    const facts = (page: Page) => page.getByRole('alert').textContent();

    it('says since when it is held, when it is tried again, and what waits', async () => {
      const hook = await make('/held');
      const openedAt = new Date(Date.now() - 5 * MINUTE_MS);
      const nextProbeAt = new Date(Date.now() + 20 * MINUTE_MS);
      await change(hook.id, { circuit: 'open', consecutiveFailures: 7, circuitOpenedAt: openedAt, nextProbeAt });
      const page = await pages.open();
      await page.goto(logOf(hook));
      await page.getByText('Deliveries are on hold').waitFor();
      const text = await facts(page);
      expect(text)
        .to.contain('The last 7 attempts failed')
        .and.to.contain('5 minutes ago')
        .and.to.contain('0 deliveries');
      expect(text).to.match(/Next try(19|20) min/);
      await expectSound(page, 'webhooks-held');
    });

    it('says why it is off, switch it on, and replay what it missed', async () => {
      const hook = await make('/missed');
      await hook.act('disable');
      await raiseEvents(mine, 3, 'link.archived');
      const page = await pages.open();
      await until(
        async () => {
          await page.goto(logOf(hook));
          await page.getByText('It was switched off by hand').waitFor();
          return (await facts(page))?.includes('3 events');
        },
        'the three that were missed',
        OUTBOX_MS,
      );
      await expectSound(page, 'webhooks-off');
      await button(page, 'Switch on').click();
      await page.waitForURL(/tab=replay.*which=missing/);
      await page.getByText('This sends 3 events.').waitFor();
      await expectSound(page, 'webhooks-replay');
      await button(page, 'Replay 3 events').click();
      await page.getByText('3 events queued').waitFor();
      await hook.untilDeliveries(3, ({ status }) => status === 'succeeded', 'the replay');
    });

    it('says that the endpoint kept failing, or is gone', async () => {
      const hook = await make('/gone');
      const disabledAt = new Date(Date.now() - DAY_MS);
      const page = await pages.open();
      for (const [disabledReason, words, short] of [
        ['gone', 'answered 410 Gone, which asks', 'answered 410 Gone'],
        ['failures', '20 attempts in a row failed', '20 failures in a row'],
      ]) {
        await change(hook.id, { status: 'disabled', disabledReason, disabledAt });
        await page.goto(logOf(hook));
        await page.getByText(words as string).waitFor();
        await page.goto('/app/webhooks');
        await page
          .getByRole('row')
          .filter({ hasText: '/gone' })
          .getByText(short as string)
          .waitFor();
      }
    });
  });

  describe('where nothing may be changed', () => {
    const NAMES = [
      'Resend',
      'Switch on',
      'Send test event',
      'Replay',
      'Rotate secret',
      'Delete webhook',
      'Save changes',
    ];
    let hook: Hook;
    let deliveryId: string;

    before(async () => {
      hook = await make('/fail');
      await raiseEvents(mine, 1, 'link.archived');
      const [delivery] = await hook.untilDeliveries(1, ({ attempts }) => attempts.length > 0, 'its attempt');
      deliveryId = delivery.id;
      await hook.act('disable');
    });

    async function expectNothingWorks(page: Page): Promise<void> {
      const paths = [`/deliveries?open=${deliveryId}`, '?tab=test', '?tab=replay', '?tab=settings'];
      const refused = collectRefusals(page);
      const seen = new Set<string>();
      for (const path of paths) {
        const address = `/app/webhooks/${hook.id}${path}`;
        await (path === paths[0] ? page.goto(address) : goWithin(page, address));
        await button(page, 'Switch on').waitFor();
        await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
        for (const name of NAMES) {
          for (const shown of await button(page, new RegExp(`^${name}`)).all()) {
            seen.add(name);
            expect(await shown.isDisabled(), name).to.equal(true);
          }
        }
      }
      await page.keyboard.press('r');
      expect([...seen]).to.have.members(NAMES);
      expect(refused).to.deep.equal([]);
    }

    it('shows a viewer no button that works, and send nothing that is refused', async () => {
      const page = await pages.open({ cookie: await memberSession(world, mine.teamId, 'viewer') });
      await expectNothingWorks(page);
    });

    it('shows a member no button that works, where the webhook is one of the whole team', async () => {
      const { projectId } = await Webhook.findByPk(hook.id, { rejectOnEmpty: true });
      await change(hook.id, { projectId: null });
      const page = await pages.open({ cookie: await memberSession(world, mine.teamId, 'member') });
      await expectNothingWorks(page);
      await change(hook.id, { projectId });
    });

    it('is readable in survival mode', async () => {
      const where = { id: mine.teamId };
      await inTransaction((transaction) => Team.update({ status: 'read_only' }, { where, transaction }));
      const page = await pages.open();
      await expectNothingWorks(page);
      await screenshot(page, 'webhooks-survival');
      await inTransaction((transaction) => Team.update({ status: 'active' }, { where, transaction }));
    });

    it('says what became of deliveries that were given up', async () => {
      const [{ id }] = await hook.deliveries();
      const page = await pages.open();
      for (const [status, words] of [
        ['failed', 'Gave up after 1 try.'],
        ['cancelled', 'Cancelled, because'],
        ['pending', 'Waiting until the webhook is switched on.'],
      ]) {
        await inTransaction((transaction) => Delivery.update({ status }, { where: { id }, transaction }));
        await page.goto(`${logOf(hook)}?open=${id}`);
        await page.getByText(words as string).waitFor();
      }
    });
  });
});
