// stores: each
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { purgeOld } from '../../../jobs/purgeOld.ts';
import { Op } from '../../../src/db/sequelize.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { config } from '../../../src/kernel/config.ts';
import { Delivery } from '../../../src/models/Delivery.ts';
import { Event } from '../../../src/models/Event.ts';
import { Tag } from '../../../src/models/Tag.ts';
import { Webhook } from '../../../src/models/Webhook.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { type Hook, makeHook } from '../../support/makeHook.ts';
import { raiseEvents } from '../../support/raiseEvents.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { type StoppedClock, stopClock } from '../../support/stopClock.ts';
import { firstTenant, makeKey, makeTenant, memberSession, ownerSession, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { useSettings, useWorld } from '../../support/world.ts';

type Answer = (response: ServerResponse) => unknown;
const ok: Answer = (response) => response.end();
const down: Answer = (response) => response.writeHead(500).end();

const HOUR = 3600;
const DAY = 24 * HOUR;

describe('replaying a range of events', () => {
  const world = useWorld();
  useSettings({ webhookCircuitAfter: 0, webhookDisableAfter: 0 });
  let teamId: string;
  let mine: Tenant;
  let receiver: Receiver;
  let answer: Answer;
  let time: StoppedClock;
  let startMs: number;
  let settings: typeof config;

  before(async () => {
    teamId = (await firstTenant(world)).teamId;
    settings = { ...config };
  });
  beforeEach(async () => {
    // Every failure is the last, unless a test says otherwise.
    config.webhookRetrySeconds = [];
    time = stopClock();
    startMs = time.nowMs;
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

  const listen = (more = {}) => makeHook(mine.api, { url: receiver.url, ...more });
  /** The moment that many seconds after the beginning of the test. */
  const at = (seconds: number) => new Date(startMs + seconds * 1000).toISOString();
  const replay = async (hook: Hook, input: object) => {
    const { status, body } = await hook.act('replay', input);
    expect([status, Object.keys(body)], JSON.stringify(body)).to.deep.equal([202, ['count']]);
    return body.count;
  };
  const raised = async (hook: Hook, count: number, wanted: string) => {
    const before = (await hook.deliveries({ status: wanted })).length;
    const ids = await raiseEvents(mine, count);
    const isMade = (one: { status: string; attempt_count: number }) => one.status === wanted && one.attempt_count > 0;
    await hook.untilDeliveries(before + count, isMade, wanted);
    return ids;
  };
  const fannedOut = () => until(async () => (await Event.count({ where: { fannedOutAt: null } })) === 0, 'fan-out');
  /** Raised while it is disabled. */
  const missed = async (hook: Hook, count: number) => {
    await hook.act('disable');
    const ids = await raiseEvents(mine, count);
    await fannedOut();
    await hook.act('enable');
    return ids;
  };
  const arrived = () => receiver.received.map(({ event }) => event.id);
  /** That exactly these events arrive, and then nothing more. */
  const expectArrival = async (ids: string[], withinMs?: number) => {
    await until(() => arrived().length >= ids.length, `${ids.length} events`, withinMs);
    const idle = async () => {
      const webhookId = (await Webhook.findAll({ attributes: ['id'] })).map(({ id }) => id);
      return (await Delivery.count({ where: { webhookId, dueAt: { [Op.ne]: null } } })) === 0;
    };
    await until(idle, 'all attempts', withinMs);
    expect(arrived()).to.have.members(ids);
  };

  it('takes the events raised from since on and before until', async () => {
    const hook = await listen();
    answer = down;
    const ids: string[] = [];
    for (let hour = 0; hour < 5; hour += 1) {
      ids.push(...(await raised(hook, 1, 'failed')));
      time.move(HOUR);
    }
    answer = ok;
    receiver.received.length = 0;
    expect(await replay(hook, { since: at(HOUR), until: at(3 * HOUR) })).to.equal(2);
    await expectArrival(ids.slice(1, 3));
    for (const { attempts } of await hook.deliveries({ status: 'succeeded' })) {
      expect(attempts.map(({ error }: { error: string }) => error)).to.deep.equal(['status', null]);
    }
    expect(await replay(hook, { since: at(HOUR + 0.001), until: at(3 * HOUR + 0.001), status: 'failed' })).to.equal(1);
  });

  it('goes by the time of the event and not of the delivery', async () => {
    const hook = await listen();
    const ids = await missed(hook, 2);
    time.move(DAY);
    answer = down;
    expect(await replay(hook, { since: at(0), until: at(1), status: 'missing' })).to.equal(2);
    await hook.untilDeliveries(2, ({ status }) => status === 'failed', 'failures');
    answer = ok;
    receiver.received.length = 0;
    expect(await replay(hook, { since: at(1) })).to.equal(0);
    expect(await replay(hook, { since: at(0), until: at(1) })).to.equal(2);
    await expectArrival(ids);
  });

  describe('of deliveries in every state', () => {
    let hook: Hook;
    let ids: Record<'succeeded' | 'failed' | 'cancelled' | 'missing' | 'pending', string[]>;

    beforeEach(async () => {
      hook = await listen();
      const succeeded = await raised(hook, 2, 'succeeded');
      answer = down;
      const failed = await raised(hook, 3, 'failed');
      const { body: test } = await hook.act('test', { type: 'link.created' });
      await until(async () => (await hook.delivery(test.id)).status === 'failed', 'a failed test');
      config.webhookRetrySeconds = [1_000_000];
      const cancelled = await raised(hook, 1, 'pending');
      await hook.act('disable');
      time.move(73 * HOUR);
      await purgeOld(new AbortController().signal);
      const missing = await missed(hook, 2);
      const pending = await raised(hook, 1, 'pending');
      ids = { succeeded, failed, cancelled, missing, pending };
      time.move(1);
      answer = ok;
      receiver.received.length = 0;
    });

    it('failed: those that ended without success', async () => {
      expect(await replay(hook, { since: at(0) })).to.equal(4);
      await until(() => arrived().length === 4, 'four events');
      await hook.untilDeliveries(6, ({ status }) => status === 'succeeded', 'successes');
      expect(arrived()).to.have.members([...ids.failed, ...ids.cancelled]);
      expect(await replay(hook, { since: at(0), status: 'failed' })).to.equal(0);
    });

    it('missing: those that were never made', async () => {
      expect(await replay(hook, { since: at(0), status: 'missing' })).to.equal(2);
      await hook.untilDeliveries(4, ({ status }) => status === 'succeeded', 'successes');
      expect(arrived()).to.have.members(ids.missing);
      expect(receiver.received.map(({ headers }) => headers['svc-attempt'])).to.deep.equal(['1', '1']);
      expect(await replay(hook, { since: at(0), status: 'missing' })).to.equal(0);
    });

    it('all: everything but tests', async () => {
      expect(await replay(hook, { since: at(0), status: 'all' })).to.equal(9);
      await expectArrival(Object.values(ids).flat());
      expect(await hook.deliveries({ status: 'succeeded' })).to.have.length(9);
    });
  });

  it('422 for what is no range, naming every bad field', async () => {
    const hook = await listen();
    const bad = async (body: unknown, ...paths: string[]) =>
      expectInvalid(await hook.act('replay', body as object), ...paths);
    await bad({}, 'since');
    await bad({ until: at(0) }, 'since');
    await bad({ since: null }, 'since');
    await bad({ since: 'yesterday', until: 5, status: 'lost', link_id: 'x' }, 'since', 'until', 'status', 'link_id');
    await bad({ since: at(0), status: null }, 'status');
    await bad({ since: at(0), until: at(-1) }, 'until');
    await bad({ since: at(-31 * DAY) }, 'since');
    expect(await replay(hook, { since: at(-30 * DAY + 1) })).to.equal(0);
  });

  it('409 for a disabled webhook, 404 for one of others, 403 without the scope', async () => {
    const hook = await listen();
    const body = { since: at(-10), status: 'missing' };
    const { key } = await makeKey(world, await ownerSession(world), { projectId: mine.projectId, scopes: ['*:read'] });
    const path = `/webhooks/${hook.id}/replay`;
    expectError(await mine.api.as(key)('POST', path, body), 403, 'insufficient_scope');
    for (const tenant of [await makeTenant(world, teamId), await makeTenant(world)])
      expectError(await tenant.api('POST', path, body), 404, 'not_found');
    await missed(hook, 1);
    await hook.act('disable');
    time.move(1);
    expectError(await hook.act('replay', body), 409, 'conflict');
    await hook.act('enable');
    expect(await replay(hook, body)).to.equal(1);
  });

  it('finds missing what the webhook would have got: by type, link, tag of that time and traffic', async () => {
    const { api } = mine;
    const link = async (body: object) =>
      (await api('POST', '/links', { destination: 'https://www.example.com/', ...body })).body.id;
    const one = await link({ tags: ['T'] });
    const other = await link({});
    const tag = await Tag.findOne({ where: { projectId: mine.projectId, name: 'T' }, rejectOnEmpty: true });
    await api('PATCH', `/links/${one}`, { tags: [] });
    await api('PATCH', `/links/${one}`, { destination: 'https://www.example.com/b' });
    for (const trafficClass of ['human', 'bot', 'scanner']) {
      await raiseEvents({ ...mine, linkId: other, trafficClass }, 1, 'link.clicked');
    }
    await raiseEvents(mine, 1, 'links.imported');
    await raiseEvents(await makeTenant(world, teamId), 1);
    await fannedOut();
    time.move(1);
    const table: [body: object, count: number][] = [
      [{}, 6],
      [{ include_bots: true }, 8],
      [{ event_types: ['link.created'] }, 2],
      [{ event_types: ['link.updated', 'links.imported'] }, 3],
      [{ scope: { link_id: one } }, 3],
      [{ scope: { link_id: other } }, 2],
      [{ scope: { link_id: other }, include_bots: true }, 4],
      [{ scope: { tag_id: tag.id } }, 2],
    ];
    for (const [body, count] of table) {
      const hook = await listen({ event_types: ['*'], ...body });
      expect(await replay(hook, { since: at(0), status: 'missing' }), JSON.stringify(body)).to.equal(count);
      await hook.untilDeliveries(count, ({ status }) => status === 'succeeded', JSON.stringify(body));
    }
  });

  it('takes for a team-wide webhook the events of all projects, and of the team itself', async () => {
    const first = await makeTenant(world);
    const second = await makeTenant(world, first.teamId);
    const ids = [...(await raiseEvents(first, 2)), ...(await raiseEvents(second, 3))];
    ids.push(...(await raiseEvents({ ...first, projectId: null }, 1, 'alert.created')));
    await raiseEvents(mine, 1);
    await fannedOut();
    time.move(1);
    const owner = await memberSession(world, first.teamId, 'owner');
    const ask = async (document: string, variables: object) => {
      const { data, errors } = await graphql(world.origin, document, { ...variables }, owner);
      expect(errors).to.equal(undefined);
      return data;
    };
    const input = { teamId: first.teamId, url: receiver.url };
    const create = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id } }';
    const { createWebhook } = await ask(create, { input });
    const again = 'mutation ($id: ID!, $input: ReplayInput!) { replayWebhook(id: $id, input: $input) { count } }';
    const variables = { id: createWebhook.id, input: { since: at(0), status: 'missing' } };
    expect((await ask(again, variables)).replayWebhook.count).to.equal(6);
    await expectArrival(ids);
    expect((await ask(again, variables)).replayWebhook.count).to.equal(0);
    await ask('mutation ($id: ID!) { deleteWebhook(id: $id) }', createWebhook);
  });

  it('ends now when until is in the future: what is raised later comes once', async () => {
    const hook = await listen();
    const ids = await missed(hook, 2);
    time.move(1);
    expect(await replay(hook, { since: at(0), until: at(DAY), status: 'all' })).to.equal(2);
    ids.push(...(await raiseEvents(mine, 3)));
    await expectArrival(ids);
  });

  it('lets what is new go first', async () => {
    const held: ServerResponse[] = [];
    answer = (response) => held.push(response);
    const hook = await listen();
    await missed(hook, 400);
    time.move(1);
    expect(await replay(hook, { since: at(0), status: 'missing' })).to.equal(400);
    await until(async () => (await Delivery.count({ where: { webhookId: hook.id } })) === 400, 'the replay');
    await until(() => held.length === 10, 'ten requests');
    const [id] = await raiseEvents(mine, 1);
    await until(async () => (await Delivery.count({ where: { webhookId: hook.id } })) === 401, 'the new delivery');
    answer = ok;
    for (const response of held) ok(response);
    await until(() => arrived().length === 401, 'everything');
    // What was under way or claimed ahead may come before it.
    expect(arrived().indexOf(id)).to.be.below(100);
  });

  it('takes thousands of events of one moment, each once', async () => {
    const hook = await listen();
    const ids = await missed(hook, 2100);
    time.move(1);
    expect(await replay(hook, { since: at(0), status: 'missing' })).to.equal(2100);
    await expectArrival(ids, 30_000);
    expect(await replay(hook, { since: at(0), status: 'all' })).to.equal(2100);
    await expectArrival([...ids, ...ids], 30_000);
  }).timeout(90_000);
});
