// stores: any
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { clock } from '../../../src/kernel/clock.ts';
import { config } from '../../../src/kernel/config.ts';
import { type Hook, makeHook } from '../../support/makeHook.ts';
import { raiseEvents } from '../../support/raiseEvents.ts';
import { type Received, type Receiver, startReceiver } from '../../support/receiver.ts';
import { type StoppedClock, stopClock } from '../../support/stopClock.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { useOwnWorld } from '../../support/world.ts';

type Answer = (response: ServerResponse) => unknown;
const ok: Answer = (response) => response.end();
const down: Answer = (response) => response.writeHead(500).end();

const QUICK = { webhookRetrySeconds: [1000, 1000, 1000], webhookProbeSeconds: 1, webhookProbeMaxSeconds: 8 };

describe('the circuit of a webhook', () => {
  const world = useOwnWorld({ WEBHOOK_SWEEP_SECONDS: '1' });
  let teamId: string;
  let mine: Tenant;
  let receiver: Receiver;
  let moved: Receiver;
  let answer: Answer;
  let settings: typeof config;

  before(async () => {
    teamId = (await firstTenant(world)).teamId;
    settings = { ...config };
  });
  beforeEach(async () => {
    Object.assign(config, QUICK);
    answer = down;
    [mine, receiver, moved] = await Promise.all([
      makeTenant(world, teamId),
      startReceiver((_, response) => answer(response)),
      startReceiver(),
    ]);
  });
  afterEach(async () => {
    // Whatever is left would be probed on and on.
    for (const { id } of (await mine.api('GET', '/webhooks')).body.data) await mine.api('DELETE', `/webhooks/${id}`);
    await Promise.all([receiver.close(), moved.close()]);
    Object.assign(config, settings);
    clock.reset();
  });

  const listen = () => makeHook(mine.api, { url: receiver.url });
  const isTest = ({ event }: Received) => event.test;
  const events = () => receiver.received.filter((received) => !isTest(received));
  /** As many failures, one after the other. */
  const fail = async (hook: Hook, times: number) => {
    const before = (await hook.deliveries()).length;
    for (let made = before + 1; made <= before + times; made += 1) {
      await raiseEvents(mine, 1);
      await hook.untilDeliveries(made, ({ attempt_count }) => attempt_count >= 1, `failure ${made}`);
    }
  };
  const open = async (time: StoppedClock) => {
    const hook = await listen();
    await fail(hook, 5);
    await hook.untilShows({ circuit: 'open' });
    // So that they are told apart by the time at which they were due.
    for (let raised = 0; raised < 8; raised += 1) {
      time.move(0.01);
      await raiseEvents(mine, 1);
      await hook.untilDeliveries(raised + 1, ({ attempt_count }) => attempt_count === 0, 'held deliveries');
    }
    return hook;
  };
  /** Passes every circuit, so that when it has come back whatever else could go has gone. */
  const sendTest = async (hook: Hook) => {
    const { status, body } = await hook.act('test', { type: 'link.deleted' });
    expect(status).to.equal(202);
    await until(async () => (await hook.delivery(body.id)).attempt_count === 1, 'a test');
  };

  it('opens after five counted failures in a row', async () => {
    stopClock();
    const hook = await listen();
    expect(await hook.shown()).to.include({ circuit: 'closed', consecutive_failures: 0 });
    await fail(hook, 4);
    expect(await hook.shown()).to.include({ circuit: 'closed', consecutive_failures: 4 });
    answer = ok;
    await fail(hook, 1);
    expect(await hook.shown()).to.include({ circuit: 'closed', consecutive_failures: 0 });
    answer = down;
    await fail(hook, 4);
    expect(await hook.shown()).to.include({ circuit: 'closed', consecutive_failures: 4 });
    await fail(hook, 1);
    expect(await hook.shown()).to.include({ circuit: 'open', consecutive_failures: 5, status: 'enabled' });
    expect((await mine.api('GET', '/webhooks')).body.data[0]).to.include({ circuit: 'open', consecutive_failures: 5 });
  });

  it('holds deliveries while it is open, pending and with the attempts that they have', async () => {
    const time = stopClock();
    const hook = await open(time);
    await sendTest(hook);
    expect(events().length).to.equal(5);
    const held = await hook.deliveries({ event_type: 'link.created' });
    expect(held.map(({ status }) => status)).to.deep.equal(Array(13).fill('pending'));
    expect(held.map(({ attempt_count }) => attempt_count)).to.deep.equal([...Array(8).fill(0), ...Array(5).fill(1)]);
    expect(held.every(({ next_attempt_at }) => next_attempt_at !== null)).to.equal(true);
    expect(await hook.shown()).to.include({ circuit: 'open', consecutive_failures: 5 });
  });

  it('lets one probe through at a time, after pauses that double up to a bound; each counts', async () => {
    const time = stopClock();
    const hook = await open(time);
    const held = (await hook.deliveries({ event_type: 'link.created' })).slice(0, 8).reverse();
    let probes = 0;
    for (const pause of [1, 2, 4, 8, 8, 8]) {
      // The last of what was held was raised later than the circuit opened.
      time.move(pause - 0.1 - (probes === 0 ? 0.08 : 0));
      await sendTest(hook);
      expect(events().length, `before a pause of ${pause} s`).to.equal(5 + probes);
      time.move(0.1);
      await hook.nudge();
      probes += 1;
      await hook.untilShows({ consecutive_failures: 5 + probes });
      await sendTest(hook);
      expect(events().length, `after a pause of ${pause} s`).to.equal(5 + probes);
    }
    // Each the next automatic attempt of what had been due for longest.
    expect(
      events()
        .slice(5)
        .map(({ headers }) => headers['svc-delivery-id']),
    ).to.deep.equal(held.slice(0, 6).map(({ id }) => id));
    const probed = await hook.delivery(held[0].id);
    expect(probed).to.include({ status: 'pending', attempt_count: 1 });
    expect(probed.attempts[0]).to.include({ number: 1, manual: false, error: 'status' });
    expect(await hook.shown()).to.include({ circuit: 'open', consecutive_failures: 11, status: 'enabled' });
  });

  it('lets no second probe through while the first is under way, however long it takes', async () => {
    const time = stopClock();
    const hook = await open(time);
    let underWay: ServerResponse | undefined;
    answer = (response) => {
      underWay = response;
    };
    time.move(1);
    await hook.nudge();
    const probe = await until(() => underWay, 'the probe');
    answer = down;
    time.move(9);
    await hook.nudge();
    await sendTest(hook);
    expect(events().length).to.equal(6);
    down(probe);
    await hook.untilShows({ consecutive_failures: 6 });
  });

  it('has pauses of real seconds', async () => {
    const hook = await listen();
    await fail(hook, 5);
    await raiseEvents(mine, 20);
    const probes = await until(() => (events().length >= 8 ? events().slice(5, 8) : null), 'three probes');
    const [, , , , fifth] = events();
    const times = [fifth as Received, ...probes].map(({ atMs }) => atMs);
    // A little less: the receiver hears of the fifth failure before its end starts the pause.
    const gaps = times.slice(1).map((atMs, at) => atMs - (times[at] as number));
    for (const [at, leastMs] of [950, 1950, 3950].entries()) expect(gaps[at]).to.be.at.least(leastMs);
  });

  it('closes with the first success, and everything that was held goes out with its next number', async () => {
    const time = stopClock();
    const hook = await open(time);
    // By now the second attempts of what failed are due too.
    time.move(1100);
    answer = ok;
    await hook.nudge();
    const all = await hook.untilDeliveries(13, ({ status }) => status === 'succeeded', 'all that was held');
    expect(await hook.shown()).to.include({ circuit: 'closed', consecutive_failures: 0 });
    const numbers = events()
      .slice(5)
      .map(({ headers }) => headers['svc-attempt']);
    expect(numbers.sort()).to.deep.equal([...Array(8).fill('1'), ...Array(5).fill('2')]);
    expect(events()[5]?.headers['svc-delivery-id']).to.equal(all[7].id);
    expect(events()[5]?.headers['svc-attempt']).to.equal('1');
  });

  it('is passed by tests and resends, which leave it as it is when they fail', async () => {
    const time = stopClock();
    const hook = await open(time);
    const [held] = await hook.deliveries();
    await sendTest(hook);
    await mine.api('POST', `/deliveries/${held.id}/resend`);
    await until(async () => (await hook.delivery(held.id)).attempt_count === 1, 'the resend');
    expect(
      events()
        .map(({ headers }) => headers['svc-delivery-id'])
        .slice(5),
    ).to.deep.equal([held.id]);
    expect(await hook.shown()).to.include({ circuit: 'open', consecutive_failures: 5 });
    expect(await hook.delivery(held.id)).to.include({ status: 'pending', next_attempt_at: held.next_attempt_at });
  });

  it('closes when the URL changes, and with no other change', async () => {
    const time = stopClock();
    const hook = await open(time);
    const path = `/webhooks/${hook.id}`;
    for (const body of [{ description: 'x' }, { url: receiver.url }, { event_types: ['*'] }]) {
      expect((await mine.api('PATCH', path, body)).body).to.include({ circuit: 'open', consecutive_failures: 5 });
    }
    expect((await mine.api('PATCH', path, { url: moved.url })).body).to.include({
      circuit: 'closed',
      consecutive_failures: 0,
    });
    await hook.untilDeliveries(8, ({ status }) => status === 'succeeded', 'what was held');
    expect([moved.received.length, events().length]).to.deep.equal([8, 5]);
  });

  it('stays closed where WEBHOOK_CIRCUIT_AFTER is 0', async () => {
    stopClock();
    config.webhookCircuitAfter = 0;
    const hook = await listen();
    await raiseEvents(mine, 15);
    await hook.untilDeliveries(15, ({ attempt_count }) => attempt_count === 1, 'fifteen failures');
    expect(await hook.shown()).to.include({ circuit: 'closed', consecutive_failures: 15, status: 'enabled' });
  });

  it('keeps a restart of the receiver from switching the webhook off, and nothing is lost by it', async () => {
    Object.assign(config, settings);
    const time = stopClock();
    const hook = await listen();
    answer = (response) => response.destroy();
    const ids = await raiseEvents(mine, 100);
    await hook.untilShows({ circuit: 'open' });
    // Three minutes of it; probes after 15, 30, 60 and 120 s.
    for (let seconds = 0; seconds < 180; seconds += 15) {
      time.move(15);
      await hook.nudge();
      await sendTest(hook);
    }
    const { status, consecutive_failures } = await hook.shown();
    expect([status, consecutive_failures]).to.satisfy(
      ([on, count]: [string, number]) => on === 'enabled' && count < 20,
    );
    answer = ok;
    receiver.received.length = 0;
    time.move(120);
    await hook.nudge();
    await hook.untilDeliveries(100, (one) => one.status === 'succeeded' && one.event_type === 'link.created', 'all');
    expect(events().map(({ event }) => event.id)).to.have.members(ids);
    expect(await hook.shown()).to.include({ status: 'enabled', circuit: 'closed', consecutive_failures: 0 });
  });
});
