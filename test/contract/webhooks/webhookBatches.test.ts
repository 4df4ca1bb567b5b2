// stores: any
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { constructEvents } from '../../../sdk/webhooks/index.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { config } from '../../../src/kernel/config.ts';
import { Event } from '../../../src/models/Event.ts';
import { expectInvalid } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { type Hook, makeHook } from '../../support/makeHook.ts';
import { raiseEvents } from '../../support/raiseEvents.ts';
import { type Received, type Receiver, startReceiver } from '../../support/receiver.ts';
import { firstTenant, makeTenant, ownerSession, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { useSettings, useWorld } from '../../support/world.ts';

type Answer = (response: ServerResponse) => unknown;
const ok: Answer = (response) => response.end();
const down: Answer = (response) => response.writeHead(500).end();

const BATCH = { max_events: 20, max_wait_seconds: 60 };

describe('webhooks with batches', () => {
  const world = useWorld();
  useSettings({ webhookCircuitAfter: 0, webhookDisableAfter: 0, webhookRetrySeconds: [1, 1] });
  let teamId: string;
  let mine: Tenant;
  let receiver: Receiver;
  let answer: Answer;
  let settings: typeof config;
  let aheadMs: number;

  before(async () => {
    teamId = (await firstTenant(world)).teamId;
    settings = { ...config };
  });
  beforeEach(async () => {
    aheadMs = 0;
    clock.use({ now: () => Date.now() + aheadMs });
    answer = ok;
    receiver = await startReceiver((_, response) => answer(response));
    mine = await makeTenant(world, teamId);
  });
  afterEach(async () => {
    for (const { id } of (await mine.api('GET', '/webhooks')).body.data) await mine.api('DELETE', `/webhooks/${id}`);
    await receiver.close();
    Object.assign(config, settings);
    clock.reset();
  });

  const listen = (more = {}) => makeHook(mine.api, { url: receiver.url, batch: BATCH, ...more });
  const isBatch = ({ event }: Received) => event.type === 'batch';
  const idsIn = (requests: Received[]) =>
    requests.flatMap(({ event }) => event.events.map(({ id }: { id: string }) => id as string));
  const untilSent = (count: number) =>
    until(() => receiver.received.length >= count && receiver.received, `${count} requests`, 20_000);

  const fannedOut = () => until(async () => (await Event.count({ where: { fannedOutAt: null } })) === 0, 'fan-out');

  it('get one signed request, which is one delivery, as soon as so many events have happened', async () => {
    const hook = await listen();
    const ids = await raiseEvents(mine, 20);
    const [sent] = (await untilSent(1)) as [Received];
    const events = constructEvents(sent.body, sent.headers['svc-signature'], hook.secret);
    expect(events.map(({ id }) => id)).to.deep.equal(ids.sort());
    expect(Object.keys(JSON.parse(sent.body))).to.deep.equal(['type', 'events']);
    const { data } = (await mine.api('GET', '/events?limit=20')).body;
    expect(events).to.have.deep.members(data);
    const [delivery] = await hook.untilDeliveries(1, ({ status }) => status === 'succeeded', 'a delivery');
    expect(delivery).to.include({ event_type: 'batch', event_count: 20, attempt_count: 1, test: false });
    expect(delivery).to.include({ event_id: delivery.id, request_body: null });
    expect(sent.headers).to.include({
      ...{ 'svc-event-type': 'batch', 'svc-event-id': delivery.id, 'svc-delivery-id': delivery.id, 'svc-attempt': '1' },
    });
    expect((await hook.delivery(delivery.id)).request_body).to.equal(sent.body);
    expect(receiver.received).to.have.length(1);
  });

  it('get fewer once one has waited for long enough', async () => {
    const hook = await listen({ batch: { max_events: 1000, max_wait_seconds: 1 } });
    const startedAtMs = Date.now();
    const ids = await raiseEvents(mine, 3);
    const [sent] = (await untilSent(1)) as [Received];
    expect(sent.atMs - startedAtMs).to.be.within(990, 5000);
    expect(idsIn([sent])).to.deep.equal(ids.sort());
    await hook.untilDeliveries(1, ({ event_count }) => event_count === 3, 'a batch of three');
  });

  it('get the same bytes, event id and delivery id on every attempt and resend', async () => {
    answer = down;
    const hook = await listen();
    await raiseEvents(mine, 20);
    const [failed] = await hook.untilDeliveries(1, ({ status }) => status === 'failed', 'the last attempt');
    answer = ok;
    const { status } = await mine.api('POST', `/deliveries/${failed.id}/resend`);
    expect(status).to.equal(202);
    await untilSent(4);
    const headers = ['svc-event-id', 'svc-delivery-id', 'svc-event-type'] as const;
    const seen = receiver.received.map((one) => [one.body, ...headers.map((name) => one.headers[name])].join());
    expect([seen.length, new Set(seen).size]).to.deep.equal([4, 1]);
    expect(receiver.received.map((one) => one.headers['svc-attempt'])).to.deep.equal(['1', '2', '3', '4']);
    const [done] = await hook.untilDeliveries(1, (one) => one.status === 'succeeded', 'the resend');
    const { attempts } = await hook.delivery(done.id);
    expect(attempts.map(({ manual }: { manual: boolean }) => manual)).to.deep.equal([false, false, false, true]);
    expect(attempts[3].request_headers).to.include({ 'SVC-Event-Id': done.id, 'SVC-Event-Type': 'batch' });
  });

  it('get tests alone, at once', async () => {
    const hook = await listen();
    await raiseEvents(mine, 2);
    const { status, body } = await hook.act('test', { type: 'link.created' });
    expect([status, body.event_type, body.event_count]).to.deep.equal([202, 'link.created', 1]);
    const [sent] = (await untilSent(1)) as [Received];
    expect(sent.event).to.include({ type: 'link.created', test: true });
    expect(sent.body).to.equal(body.request_body);
  });

  it('lose nothing when batches come and go while events wait', async () => {
    const hook = await listen();
    const change = (batch: object | null) => mine.api('PATCH', `/webhooks/${hook.id}`, { batch });
    const ids = await raiseEvents(mine, 5);
    expect((await change(null)).body.batch).to.equal(null);
    await until(() => receiver.received.length === 5, 'each by itself');
    expect((await change({ max_events: 2, max_wait_seconds: 60 })).status).to.equal(200);
    ids.push(...(await raiseEvents(mine, 4)));
    await until(() => receiver.received.filter(isBatch).length === 2, 'two batches');
    ids.push(...(await raiseEvents(mine, 1)));
    await mine.api('PATCH', `/webhooks/${hook.id}`, { batch: { max_events: 1, max_wait_seconds: 60 } });
    await until(() => receiver.received.length === 8, 'the last one');
    const single = receiver.received.filter((one) => !isBatch(one)).map(({ event }) => event.id);
    expect([...single, ...idsIn(receiver.received.filter(isBatch))].sort()).to.deep.equal(ids.sort());
  });

  it('hold batches while they are disabled, and get what waited once they are enabled', async () => {
    const hook = await listen({ batch: { max_events: 1000, max_wait_seconds: 1 } });
    const ids = await raiseEvents(mine, 4);
    await fannedOut();
    await hook.act('disable');
    const [held] = await hook.untilDeliveries(1, ({ status }) => status === 'pending', 'a batch that is held');
    await raiseEvents(mine, 2);
    expect(held.event_count).to.equal(4);
    expect(receiver.received).to.deep.equal([]);
    await hook.act('enable');
    const [sent] = (await untilSent(1)) as [Received];
    expect(idsIn([sent])).to.deep.equal(ids.sort());
    expect(receiver.received).to.have.length(1);
  });

  it('cancel what was held for too long', async () => {
    const hook = await listen({ batch: { max_events: 1000, max_wait_seconds: 1 } });
    await raiseEvents(mine, 4);
    await fannedOut();
    await hook.act('disable');
    await hook.untilDeliveries(1, ({ status }) => status === 'pending', 'a batch that is held');
    aheadMs = 73 * 3_600_000;
    await hook.act('enable');
    await hook.untilDeliveries(1, ({ status }) => status === 'cancelled', 'a cancelled batch');
    expect(receiver.received).to.deep.equal([]);
  });

  it('get a replay in batches: what failed as it was, what was missed as new ones, nothing twice', async () => {
    const since = new Date(Date.now() - 60_000).toISOString();
    answer = down;
    const hook = await listen();
    const failed = await raiseEvents(mine, 20);
    await hook.untilDeliveries(1, ({ status }) => status === 'failed', 'a failed batch');
    answer = ok;
    await raiseEvents(mine, 20);
    await hook.untilDeliveries(1, ({ status }) => status === 'succeeded', 'another batch');
    await hook.act('disable');
    const missed = await raiseEvents(mine, 40);
    await fannedOut();
    await hook.act('enable');
    receiver.received.length = 0;
    expect(await replayed(hook, { since, status: 'missing' })).to.equal(40);
    await untilSent(2);
    expect(idsIn(receiver.received).sort()).to.deep.equal(missed.sort());
    await hook.untilDeliveries(3, ({ status }) => status === 'succeeded', 'three batches');
    expect(await replayed(hook, { since, status: 'missing' })).to.equal(0);
    expect(await replayed(hook, { since, status: 'failed' })).to.equal(1);
    await untilSent(3);
    expect(idsIn(receiver.received.slice(2))).to.deep.equal(failed.sort());
  });

  const replayed = async (hook: Hook, input: object) => {
    const { status, body } = await hook.act('replay', input);
    expect(status, JSON.stringify(body)).to.equal(202);
    return body.count;
  };

  it('are found by their type and by each of their events, and count as one in the figures', async () => {
    const hook = await listen();
    const ids = await raiseEvents(mine, 40);
    await hook.untilDeliveries(2, ({ status }) => status === 'succeeded', 'two batches');
    expect(await hook.deliveries({ event_type: 'batch' })).to.have.length(2);
    expect(await hook.deliveries({ event_type: 'link.created' })).to.have.length(0);
    const session = await ownerSession(world);
    const document = `query ($id: ID!, $event: ID) {
      deliveries(webhookId: $id, eventId: $event) { data { id eventCount event { id } } }
      deliveryCount(webhookId: $id, eventId: $event, groupBy: event_type) { count data { key count } }
      webhook(id: $id) { stats { succeeded failed pending } } }`;
    const { data } = await graphql(world.origin, document, { id: hook.id, event: ids[3] }, session);
    expect(data.deliveries.data).to.have.length(1);
    expect(data.deliveries.data[0]).to.include({ eventCount: 20, event: null });
    expect(data.deliveryCount).to.deep.equal({ count: 1, data: [{ key: 'batch', count: 1 }] });
    expect(data.webhook.stats).to.deep.equal({ succeeded: 2, failed: 0, pending: 0 });
    const { request_body } = await hook.delivery(data.deliveries.data[0].id);
    expect(JSON.parse(request_body).events.map(({ id }: { id: string }) => id)).to.include(ids[3]);
  });

  it('have a batch within its bounds, and from 1 to 100 requests at once', async () => {
    const sent = (body: object) => mine.api('POST', '/webhooks', { url: receiver.url, ...body });
    const bad: [body: object, paths: string[]][] = [
      [{ batch: { max_events: 0, max_wait_seconds: 0 } }, ['batch.max_events', 'batch.max_wait_seconds']],
      [{ batch: { max_events: 1001, max_wait_seconds: 61 } }, ['batch.max_events', 'batch.max_wait_seconds']],
      [{ batch: { max_events: 1.5, max_wait_seconds: '5' } }, ['batch.max_events', 'batch.max_wait_seconds']],
      [{ batch: { max_events: 10 } }, ['batch.max_wait_seconds']],
      [{ batch: { ...BATCH, more: 1 } }, ['batch.more']],
      [{ batch: [BATCH] }, ['batch']],
      [{ batch: true, max_in_flight: 0 }, ['batch', 'max_in_flight']],
      [{ max_in_flight: 101 }, ['max_in_flight']],
      [{ max_in_flight: null }, ['max_in_flight']],
    ];
    const { id } = (await sent({})).body;
    for (const [body, paths] of bad) {
      expectInvalid(await sent(body), ...paths);
      expectInvalid(await mine.api('PATCH', `/webhooks/${id}`, body), ...paths);
    }
    for (const batch of [{ max_events: 1, max_wait_seconds: 1 }, { max_events: 1000, max_wait_seconds: 60 }, null]) {
      for (const max_in_flight of [1, 100]) {
        expect((await sent({ batch, max_in_flight })).body).to.deep.include({ batch, max_in_flight });
        const changed = await mine.api('PATCH', `/webhooks/${id}`, { batch, max_in_flight });
        expect(changed.body).to.deep.include({ batch, max_in_flight });
      }
    }
    expect((await mine.api('PATCH', `/webhooks/${id}`, { description: 'D' })).body).to.include({ max_in_flight: 100 });
  });

  it('have as many requests at once as they may, and no more', async () => {
    let [inFlight, most] = [0, 0];
    answer = (response) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      setTimeout(() => {
        inFlight -= 1;
        response.end();
      }, 300);
    };
    const hook = await listen({ batch: null, max_in_flight: 40 });
    await raiseEvents(mine, 120);
    await hook.untilDeliveries(120, ({ status }) => status === 'succeeded', 'all of them');
    expect(most).to.be.within(30, 40);
    const { status } = await mine.api('PATCH', `/webhooks/${hook.id}`, { max_in_flight: 2 });
    expect(status).to.equal(200);
    most = 0;
    await raiseEvents(mine, 10);
    await hook.untilDeliveries(130, (one) => one.status === 'succeeded', 'the later ones');
    expect(most).to.be.at.most(2);
  });
});
