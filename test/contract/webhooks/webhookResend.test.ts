// stores: any
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { purgeOld } from '../../../jobs/purgeOld.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { type Hook, makeHook } from '../../support/makeHook.ts';
import { raiseEvents } from '../../support/raiseEvents.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { type StoppedClock, stopClock } from '../../support/stopClock.ts';
import { firstTenant, makeKey, makeTenant, memberSession, ownerSession, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { useOwnWorld } from '../../support/world.ts';

type Answer = (response: ServerResponse) => unknown;
const ok: Answer = (response) => response.end();
const down: Answer = (response) => response.writeHead(500).end();

const RESEND = 'mutation ($id: ID!) { resendDelivery(id: $id) { id status attempts { manual } } }';

describe('resending a delivery', () => {
  const world = useOwnWorld({ WEBHOOK_RETRY_SECONDS: '1000', WEBHOOK_SWEEP_SECONDS: '1' });
  let teamId: string;
  let mine: Tenant;
  let receiver: Receiver;
  let answer: Answer;
  let time: StoppedClock;
  let hook: Hook;

  before(async () => {
    teamId = (await firstTenant(world)).teamId;
  });
  beforeEach(async () => {
    time = stopClock();
    answer = down;
    receiver = await startReceiver((_, response) => answer(response));
    mine = await makeTenant(world, teamId);
    hook = await makeHook(mine.api, { url: receiver.url });
  });
  afterEach(async () => {
    await mine.api('DELETE', `/webhooks/${hook.id}`);
    await receiver.close();
    clock.reset();
  });

  const resend = (id: string, options = {}, api = mine.api) =>
    api('POST', `/deliveries/${id}/resend`, undefined, options);
  const tried = async (id: string, attempts: number) =>
    until(async () => {
      const delivery = await hook.delivery(id);
      return delivery.attempt_count === attempts && delivery;
    }, `${attempts} attempts`);
  const pending = async () => {
    await raiseEvents(mine, 1);
    const [delivery] = await hook.untilDeliveries(1, ({ attempt_count }) => attempt_count === 1, 'the first attempt');
    return delivery;
  };
  const failed = async () => {
    const { id } = await pending();
    time.move(1200);
    await hook.nudge();
    const delivery = await tried(id, 2);
    expect(delivery).to.include({ status: 'failed', next_attempt_at: null });
    return delivery;
  };
  const succeeded = async () => {
    answer = ok;
    const delivery = await pending();
    expect(delivery.status).to.equal('succeeded');
    return delivery;
  };
  const cancelled = async () => {
    const { id } = await pending();
    await hook.act('disable');
    time.move(73 * 3600);
    await purgeOld(new AbortController().signal);
    const delivery = await hook.delivery(id);
    expect(delivery).to.include({ status: 'cancelled', next_attempt_at: null });
    return delivery;
  };
  const STATES = { pending, failed, succeeded, cancelled };

  for (const [status, make] of Object.entries(STATES)) {
    it(`that is ${status}: 202, and one more attempt with the same bytes; failing changes nothing else`, async () => {
      const delivery = await make();
      answer = down;
      receiver.received.length = 0;
      const reply = await resend(delivery.id);
      expect(reply.status).to.equal(202);
      expect(reply.body).to.include({ id: delivery.id, status, event_id: delivery.event_id, webhook_id: hook.id });
      expect(reply.body).to.have.all.keys(delivery);
      const { attempts, ...after } = await tried(delivery.id, delivery.attempt_count + 1);
      const { attempts: before, ...unchanged } = delivery;
      expect(after).to.deep.equal({ ...unchanged, attempt_count: before.length + 1, updated_at: after.updated_at });
      expect(attempts.slice(0, -1)).to.deep.equal(before);
      const number = before.length + 1;
      expect(attempts.at(-1)).to.include({ number, manual: true, status_code: 500, error: 'status' });
      const [request, ...more] = receiver.received;
      expect(more).to.deep.equal([]);
      expect(request?.body).to.equal(delivery.request_body);
      expect(request?.headers).to.include({
        'svc-attempt': String(number),
        'svc-event-id': delivery.event_id,
        'svc-delivery-id': delivery.id,
      });
    });

    it(`that is ${status}: a success makes it succeeded, and nothing more is sent`, async () => {
      const delivery = await make();
      answer = ok;
      await resend(delivery.id);
      const after = await tried(delivery.id, delivery.attempt_count + 1);
      expect(after).to.include({ status: 'succeeded', next_attempt_at: null });
      receiver.received.length = 0;
      time.move(5000);
      await hook.act('enable');
      await raiseEvents(mine, 1);
      await hook.untilDeliveries(2, (one) => one.status === 'succeeded', 'a later event');
      expect(receiver.received.map(({ event }) => event.id)).to.not.include(delivery.event_id);
    });
  }

  it('leaves a pending one its schedule: the next attempt comes as it was planned, and all of them', async () => {
    const delivery = await pending();
    for (const number of [2, 3]) {
      await resend(delivery.id);
      await tried(delivery.id, number);
    }
    time.move(1200);
    await hook.nudge();
    const last = await tried(delivery.id, 4);
    expect(last).to.include({ status: 'failed', next_attempt_at: null });
    expect(last.attempts.map(({ manual }: { manual: boolean }) => manual)).to.deep.equal([false, true, true, false]);
    expect(receiver.received.map(({ headers }) => headers['svc-attempt'])).to.deep.equal(['1', '2', '3', '4']);
  });

  it('works while the webhook is disabled, and while its circuit is open', async () => {
    const delivery = await pending();
    await hook.act('disable');
    await resend(delivery.id);
    await tried(delivery.id, 2);
    expect(await hook.shown()).to.include({ status: 'disabled', disabled_reason: 'manual' });
    await hook.act('enable');
    // What waited goes out at once.
    expect((await tried(delivery.id, 3)).attempts.at(-1)).to.include({ number: 3, manual: false });
    await raiseEvents(mine, 5);
    await hook.untilShows({ circuit: 'open' });
    await resend(delivery.id);
    expect((await tried(delivery.id, 4)).attempts.at(-1)).to.include({ number: 4, manual: true });
    expect((await hook.shown()).circuit).to.equal('open');
  });

  it('works for tests', async () => {
    const { body: test } = await hook.act('test', { type: 'link.deleted' });
    await tried(test.id, 1);
    await resend(test.id);
    expect((await tried(test.id, 2)).attempts.at(-1)).to.include({ number: 2, manual: true });
    expect(receiver.received[1]?.body).to.equal(test.request_body);
    expect(receiver.received[1]?.event.test).to.equal(true);
  });

  it('409 conflict while ten of them wait; each that was accepted is made, one after the other', async () => {
    const delivery = await pending();
    const held: ServerResponse[] = [];
    answer = (response) => held.push(response);
    for (let asked = 1; asked <= 10; asked += 1) expect((await resend(delivery.id)).status).to.equal(202);
    expectError(await resend(delivery.id), 409, 'conflict');
    for (let made = 1; made <= 10; made += 1) {
      await until(() => held.length === made, `resend ${made}`);
      down(held[made - 1] as ServerResponse);
    }
    const { attempts } = await tried(delivery.id, 11);
    expect(attempts.filter(({ manual }: { manual: boolean }) => manual).length).to.equal(10);
    answer = down;
    expect((await resend(delivery.id)).status).to.equal(202);
    await tried(delivery.id, 12);
  });

  it('comes after an attempt that is under way', async () => {
    const held: ServerResponse[] = [];
    answer = (response) => held.push(response);
    await raiseEvents(mine, 1);
    await until(() => held.length === 1, 'the first attempt');
    const [{ id }] = await hook.deliveries();
    expect((await resend(id)).status).to.equal(202);
    down(held[0] as ServerResponse);
    await until(() => held.length === 2, 'the resend');
    ok(held[1] as ServerResponse);
    const { status, attempts } = await tried(id, 2);
    expect([status, ...attempts.map(({ manual }: { manual: boolean }) => manual)]).to.deep.equal([
      'succeeded',
      false,
      true,
    ]);
  });

  it('404 for what is of others or of nothing, 403 without the scope, 422 for fields', async () => {
    const { id } = await pending();
    const [neighbours, strangers] = [await makeTenant(world, teamId), await makeTenant(world)];
    for (const { api } of [neighbours, strangers]) expectError(await resend(id, {}, api), 404, 'not_found');
    for (const none of [newId('dlv'), hook.id, 'x']) expectError(await resend(none), 404, 'not_found');
    const session = await ownerSession(world);
    const { key } = await makeKey(world, session, { projectId: mine.projectId, scopes: ['*:read'] });
    expectError(await resend(id, {}, mine.api.as(key)), 403, 'insufficient_scope');
    expectInvalid(await mine.api('POST', `/deliveries/${id}/resend`, { to: 'me' }), 'to');
    const viewer = await memberSession(world, teamId, 'viewer');
    const { errors } = await graphql(world.origin, RESEND, { id }, viewer);
    expect(errors?.[0]?.extensions.code).to.equal('insufficient_scope');
    expect((await hook.delivery(id)).attempt_count).to.equal(1);
    expect(receiver.received.length).to.equal(1);
  });

  it('works by GraphQL, for deliveries of team-wide webhooks too', async () => {
    const session = await ownerSession(world);
    const { id } = await pending();
    const reply = await graphql(world.origin, RESEND, { id }, session);
    expect(reply.data.resendDelivery).to.deep.include({ id, status: 'pending' });
    expect((await tried(id, 2)).attempts.at(-1)).to.include({ manual: true });
    const create = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id } }';
    const input = { teamId, url: receiver.url, eventTypes: ['app.event'] };
    const wide = (await graphql(world.origin, create, { input }, session)).data.createWebhook;
    const test = 'mutation ($id: ID!) { testWebhook(id: $id, input: { type: "app.event" }) { id } }';
    const { testWebhook } = (await graphql(world.origin, test, wide, session)).data;
    const sent = () => receiver.received.filter(({ headers }) => headers['svc-delivery-id'] === testWebhook.id);
    await until(() => sent().length === 1, 'the test');
    expectError(await resend(testWebhook.id), 404, 'not_found');
    expect((await graphql(world.origin, RESEND, testWebhook, session)).errors).to.equal(undefined);
    await until(() => sent().length === 2, 'its resend');
    await graphql(world.origin, 'mutation ($id: ID!) { deleteWebhook(id: $id) }', wide, session);
  });

  it('is refused in survival mode', async () => {
    const others = await makeTenant(world);
    const theirs = await makeHook(others.api, { url: receiver.url });
    await raiseEvents(others, 1);
    const [{ id }] = await theirs.untilDeliveries(1, ({ attempt_count }) => attempt_count === 1, 'the first attempt');
    const owner = await memberSession(world, others.teamId, 'owner');
    const enter = 'mutation ($teamId: ID!) { enterSurvivalMode(teamId: $teamId, reason: "R") { status } }';
    await graphql(world.origin, enter, { teamId: others.teamId }, owner);
    expectError(await resend(id, {}, others.api), 403, 'team_read_only');
    const { errors } = await graphql(world.origin, RESEND, { id }, owner);
    expect(errors?.[0]?.extensions.code).to.equal('team_read_only');
    expect((await theirs.delivery(id)).attempt_count).to.equal(1);
  });

  it('with an Idempotency-Key is repeated without a second attempt', async () => {
    const { id } = await pending();
    const once = { headers: { 'Idempotency-Key': newId('bat') } };
    const first = await resend(id, once);
    const after = await tried(id, 2);
    const second = await resend(id, once);
    expect([second.status, second.body]).to.deep.equal([202, first.body]);
    expect(second.headers.get('idempotency-replayed')).to.equal('true');
    // Whoever asks anew gets the third.
    await resend(id);
    await tried(id, 3);
    expect(after.attempts.length).to.equal(2);
    expect(receiver.received.length).to.equal(3);
  });
});
