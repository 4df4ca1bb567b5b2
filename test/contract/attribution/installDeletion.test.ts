// stores: each
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { issueClickToken } from '../../../src/attribution/clickTokens.ts';
import { query } from '../../../src/db/query.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { expectError } from '../../support/expectError.ts';
import { useInstalls } from '../../support/installs.ts';
import { type Hook, makeHook } from '../../support/makeHook.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { rowsWith } from '../../support/rowsWith.ts';
import { expectMatch, expectNone, newAddress, visit } from '../../support/sdk.ts';
import { renameTable } from '../../support/storeFaults.ts';
import { until } from '../../support/until.ts';
import { walk } from '../../support/walk.ts';

const TYPES = ['app.installed', 'app.opened', 'app.event'];
/** Nothing is tried a second time. */
const SETTINGS = { WEBHOOK_CIRCUIT_AFTER: '0', WEBHOOK_RETRY_SECONDS: '3600' };

describe('DELETE /installs/{id}', () => {
  const { world, mine, sdk, makeLink, installBy, install, show, explain } = useInstalls(SETTINGS);
  let receivers: Receiver[];

  beforeEach(() => {
    receivers = [];
  });
  afterEach(async () => {
    for (const { id } of (await mine().api('GET', '/webhooks')).body.data)
      await mine().api('DELETE', `/webhooks/${id}`);
    await Promise.all(receivers.map((receiver) => receiver.close()));
  });

  /** A webhook that is told of apps; `answer`: how the receiver does. */
  const hookWith = async (...answer: Parameters<typeof startReceiver>): Promise<Hook> => {
    const receiver = await startReceiver(...answer);
    receivers.push(receiver);
    return makeHook(mine().api, { url: receiver.url, event_types: TYPES });
  };
  const remove = (id: string) => mine().api('DELETE', `/installs/${id}`);
  const eventsOf = async (installId: string) =>
    (await walk(mine().api, '/events', { limit: '100' })).filter((event) => JSON.stringify(event).includes(installId));
  const untilTold = (installId: string, count: number) =>
    until(async () => (await eventsOf(installId)).length === count, `${count} events of ${installId}`);

  it('leaves nothing of it, nor of what webhooks were told or would be told; others stay as they are', async () => {
    const failing = await hookWith((_, response) => response.writeHead(500).end());
    const hooks = [await hookWith(), failing];
    const link = await makeLink();
    const [gone, other] = [await installBy(link), await installBy(link)];
    for (const install_id of [gone, other]) {
      await sdk().event({
        install_id,
        events: [{ name: 'a', properties: { mail: `${install_id}@x` } }, { name: 'b' }],
      });
      await sdk().open({ install_id, first_open: false, url: `${world().origin}/${link.slug}` });
    }
    // Installed, opened by it, two events, opened by the link.
    for (const id of [gone, other]) await untilTold(id, 5);
    for (const hook of hooks) await hook.untilDeliveries(10, ({ attempt_count }) => attempt_count === 1, 'attempts');
    await failing.untilShows({ consecutive_failures: 10 });
    const { id } = await show(gone);
    // Deliveries name events alone.
    const idsOf = async (install: string) => (await eventsOf(install)).map((event) => event.id as string);
    const [told, others] = [await idsOf(gone), await idsOf(other)];
    const before = await rowsWith(other, (await show(other)).id, ...others);
    expect(before).to.include.keys(
      'installs',
      'opens',
      'app_events',
      'match_reports',
      'used_clicks',
      'events',
      'deliveries',
    );
    expect((await rowsWith(gone, id, ...told)).deliveries).to.have.length(10);

    const { status, body } = await remove(gone);
    expect([status, body]).to.deep.equal([204, undefined]);
    for (const name of [gone, id]) expectError(await remove(name), 404, 'not_found');
    expectError(await mine().api('GET', `/installs/${gone}/match`), 404, 'not_found');
    expect(await rowsWith(gone, id, ...told)).to.deep.equal({});
    expect(await eventsOf(gone)).to.deep.equal([]);
    expect(await rowsWith(other, (await show(other)).id, ...others)).to.deep.equal(before);
    for (const hook of hooks) expect(await hook.deliveries()).to.have.length(5);
    const [orphans] = await query<{ count: number }>(
      'SELECT COUNT(*) AS count FROM attempts WHERE delivery_id NOT IN (SELECT id FROM deliveries)',
      {},
    );
    expect(Number(orphans?.count)).to.equal(0);
  });

  it('leaves its clicks used, without a word of by whom, and what the page told is forgotten', async () => {
    const link = await makeLink();
    const token = issueClickToken({ clickId: newId('clk'), projectId: mine().projectId, linkId: link.id }, Date.now());
    const byToken = { clipboard: `svc_click=${token}` };
    const [one, other, from] = [randomUUID(), randomUUID(), newAddress()];
    expectMatch(await sdk().open({ install_id: one, ...byToken }), 'clipboard', link);
    await visit(world(), link, { from });
    expectMatch(await sdk().open({ install_id: other }, { from }), 'probabilistic', link);
    const clickIds = [(await show(one)).click_id, (await show(other)).click_id];
    const devices = () => query('SELECT click_id FROM click_devices WHERE click_id IN (:clickIds)', { clickIds });
    const claims = { clickId: clickIds[1], projectId: mine().projectId, linkId: link.id };
    const device = { timezone: 'Europe/Berlin', screen: { width: 393, height: 852, scale: 3 } };
    const page = `/_open/device?t=${issueClickToken(claims, Date.now())}`;
    await rawRequest(world().origin, page, { method: 'POST', body: JSON.stringify(device) });
    expect(await devices()).to.have.length(1);
    for (const id of [one, other]) expect((await remove(id)).status).to.equal(204);
    expectNone(await sdk().open(byToken), 'token_used');
    expectNone(await sdk().open({}, { from }), 'click_used');
    // Nor by an app that has the same UUID.
    expectNone(
      await sdk().open({ install_id: one, first_open: false, url: `myapp://x?svc_click=${token}` }),
      'token_used',
    );
    const used = await query<{ install_id: string }>(
      'SELECT install_id FROM used_clicks WHERE click_id IN (:clickIds)',
      {
        clickIds,
      },
    );
    expect(used).to.deep.equal([{ install_id: '' }, { install_id: '' }]);
    expect(await devices()).to.deep.equal([]);
  });

  it('makes a new install of an app that goes on telling', async () => {
    const link = await makeLink();
    const [first, later] = [await installBy(link), await installBy(link)];
    const ids = [(await show(first)).id, (await show(later)).id];
    for (const id of [first, later]) await untilTold(id, 2);
    for (const id of [first, later]) expect((await remove(id)).status).to.equal(204);
    await sdk().event({ install_id: later, name: 'purchase' });
    await sdk().open({ install_id: first }, { from: newAddress() });
    await sdk().open({ install_id: later, first_open: false });
    expect(await show(first))
      .to.include({ link_id: null, click_id: null })
      .and.not.to.include({ id: ids[0] });
    expect((await show(first)).match.factors).to.deep.equal([{ name: 'no_click', points: 0 }]);
    expect(await show(later))
      .to.include({ link_id: null, click_id: null })
      .and.not.to.include({ id: ids[1] });
    expect((await explain(later)).why).to.equal('Only a first opening is traced back to a click.');
    await untilTold(first, 1);
    await untilTold(later, 1);
    const [[installed], [event]] = [await eventsOf(first), await eventsOf(later)];
    expect([installed.type, installed.data.install.id]).to.deep.equal(['app.installed', (await show(first)).id]);
    expect([event.type, event.data.link]).to.deep.equal(['app.event', null]);
  });

  it('takes it out of the figures', async () => {
    const link = await makeLink();
    const [gone, other] = [await installBy(link), await installBy(link)];
    for (const install_id of [gone, other])
      await sdk().event({ install_id, name: 'purchase', value: 5, currency: 'EUR' });
    const figures = async () => {
      const of = async (event: string) => (await mine().api('GET', `/analytics?event=${event}`)).body.total;
      return [await of('install'), await of('open'), await of('app_event')];
    };
    const of = (count: number) => [
      { count, unique: count, values: null },
      { count, unique: count, values: null },
      { count, unique: count, values: [{ currency: 'EUR', sum: 5 * count }] },
    ];
    expect(await figures()).to.deep.equal(of(2));
    await remove(gone);
    expect(await figures()).to.deep.equal(of(1));
    const clicks = (await mine().api('GET', '/analytics?event=click')).body.total.count;
    expect(clicks).to.equal(2);
  });

  it('takes a thousand events with it, told of or not', async () => {
    await hookWith();
    const [gone, other] = [await install(), await install()];
    const send = async (from: number, count: number) => {
      const events = Array.from({ length: 100 }, (_, at) => ({ id: `${from + at}`, name: 'step' }));
      if (count > 0) expect((await sdk().event({ install_id: gone, events })).body.accepted).to.equal(100);
      if (count > 100) await send(from + 100, count - 100);
    };
    await sdk().event({ install_id: other, name: 'step' });
    await send(0, 500);
    await untilTold(gone, 501);
    await send(500, 500);
    const { id } = await show(gone);
    expect((await remove(gone)).status).to.equal(204);
    expect(await rowsWith(gone, id)).to.deep.equal({});
    await untilTold(other, 2);
    expect(await eventsOf(gone)).to.deep.equal([]);
  });

  it('ends deliveries that are under way, and the webhook goes on', async () => {
    const held: ServerResponse[] = [];
    const hook = await hookWith((_, response) => held.push(response));
    const gone = await installBy(await makeLink());
    await until(() => held.length === 2, 'requests under way');
    const { id } = await show(gone);
    expect((await remove(gone)).status).to.equal(204);
    for (const response of held) response.end('ok');
    const next = await install();
    await until(() => held.length === 3, 'the next request');
    held[2]?.end('ok');
    await hook.untilDeliveries(1, ({ status }) => status === 'succeeded', 'the next delivery');
    expect(await hook.deliveries()).to.have.length(1);
    expect(await eventsOf(next)).to.have.length(1);
    expect(await rowsWith(gone, id)).to.deep.equal({});
  });

  it('can be done again when it was cut short', async () => {
    const gone = await installBy(await makeLink());
    await renameTable('match_reports', 'match_reports_away');
    const { status } = await remove(gone);
    await renameTable('match_reports_away', 'match_reports');
    expect(status).to.be.at.least(500);
    expect((await show(gone)).match.matched).to.equal(true);
    expect((await remove(gone)).status).to.equal(204);
    expect(await rowsWith(gone)).to.deep.equal({});
  });
});
