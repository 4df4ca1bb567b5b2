// stores: any
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { purgeOld } from '../../../jobs/purgeOld.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { config } from '../../../src/kernel/config.ts';
import { Delivery } from '../../../src/models/Delivery.ts';
import { type Hook, makeHook } from '../../support/makeHook.ts';
import { raiseEvents } from '../../support/raiseEvents.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { type StoppedClock, stopClock } from '../../support/stopClock.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { walk } from '../../support/walk.ts';
import { useSettings, useWorld } from '../../support/world.ts';

const ok = (response: ServerResponse): unknown => response.end();
const down: typeof ok = (response) => response.writeHead(500).end();

const HOUR = 3600;

describe('webhooks that fail for too long', () => {
  const world = useWorld();
  useSettings({ webhookCircuitAfter: 0, webhookRetrySeconds: [1000, 1000] });
  let teamId: string;
  let mine: Tenant;
  let receiver: Receiver;
  let witness: Receiver;
  let answer: typeof ok;
  let settings: typeof config;
  let time: StoppedClock;
  let hook: Hook;

  before(async () => {
    teamId = (await firstTenant(world)).teamId;
    settings = { ...config };
  });
  beforeEach(async () => {
    time = stopClock();
    answer = down;
    [mine, receiver, witness] = await Promise.all([
      makeTenant(world, teamId),
      startReceiver((_, response) => answer(response)),
      startReceiver(),
    ]);
    await makeHook(mine.api, { url: witness.url, event_types: ['alert.created'] });
    // So that it would get its own alert, if anybody sent that.
    hook = await makeHook(mine.api, { url: receiver.url, event_types: ['*'] });
  });
  afterEach(async () => {
    for (const { id } of (await mine.api('GET', '/webhooks')).body.data) await mine.api('DELETE', `/webhooks/${id}`);
    await Promise.all([receiver, witness].map((one) => one.close()));
    Object.assign(config, settings);
    clock.reset();
  });

  const isLink = ({ event_type }: { event_type: string }) => event_type === 'link.created';
  const tried = (count: number, attempts = 1) =>
    hook.untilDeliveries(count, (one) => isLink(one) && one.attempt_count === attempts, `${count} deliveries tried`);
  /** A number of failures in a row, all of the first attempts of new deliveries. */
  const fail = async (times: number) => {
    const before = (await hook.deliveries()).filter(({ attempt_count }) => attempt_count === 1).length;
    await raiseEvents(mine, times);
    await tried(before + times);
  };
  const purge = () => purgeOld(new AbortController().signal);
  /** Until nothing is in hand any more. */
  const settled = (count: number) =>
    until(
      async () => (await Delivery.count({ where: { webhookId: hook.id, claim: null } })) === count,
      'the last attempt',
    );
  const switchOff = async () => {
    await fail(19);
    await raiseEvents(mine, 11);
    await hook.untilShows({ status: 'disabled' });
    await settled(30);
  };
  const alerts = () => walk(mine.api, '/alerts', { kind: 'webhook_disabled' });
  const alerted = (count: number) =>
    until(() => witness.received.length >= count, `${count} alerts at another webhook`);
  const enable = async () => {
    const { body } = await hook.act('enable');
    expect(body).to.include({ status: 'enabled', disabled_reason: null, consecutive_failures: 0, circuit: 'closed' });
  };

  it('are disabled by the twentieth counted failure in a row, with one alert to others', async () => {
    await fail(19);
    expect(await hook.shown()).to.include({ status: 'enabled', disabled_reason: null, consecutive_failures: 19 });
    expect(await alerts()).to.deep.equal([]);
    await raiseEvents(mine, 1);
    await hook.untilShows({ status: 'disabled', disabled_reason: 'failures', consecutive_failures: 20 });
    await alerted(1);
    const [alert, ...more] = await alerts();
    expect(more).to.deep.equal([]);
    expect(alert).to.include({ kind: 'webhook_disabled', project_id: mine.projectId, webhook_id: hook.id });
    expect(alert).to.include({ link_id: null, acknowledged_at: null, resolved_at: null });
    expect(witness.received[0]?.event).to.deep.include({ project_id: mine.projectId, data: { alert } });
    expect((await hook.deliveries()).map(({ event_type }) => event_type)).to.deep.equal(Array(20).fill('link.created'));
    expect(witness.received.length).to.equal(1);
  });

  it('hear nothing of their own alert, not even by a replay of what is missing', async () => {
    await switchOff();
    await alerted(1);
    // Raised while it is disabled: no delivery.
    await raiseEvents(mine, 1);
    await raiseEvents(mine, 1, 'alert.created');
    await alerted(2);
    answer = ok;
    time.move(2000);
    await enable();
    await hook.untilDeliveries(30, ({ status }) => status === 'succeeded', 'what was held');
    const since = new Date(time.nowMs - HOUR * 1000).toISOString();
    expect((await hook.act('replay', { since, status: 'missing' })).body).to.deep.equal({ count: 2 });
    await hook.untilDeliveries(32, ({ status }) => status === 'succeeded', 'what was missing');
    expect(receiver.received.filter(({ event }) => event.data.alert?.webhook_id === hook.id)).to.deep.equal([]);
  });

  it('are disabled once however many fail together; what is left waits', async () => {
    await raiseEvents(mine, 200);
    await hook.untilShows({ status: 'disabled' });
    await alerted(1);
    await settled(200);
    expect(await hook.shown()).to.include({ consecutive_failures: 20, disabled_reason: 'failures' });
    const deliveries = await hook.deliveries();
    expect(deliveries.every(({ status }) => status === 'pending')).to.equal(true);
    const attempts = deliveries.reduce((sum, { attempt_count }) => sum + attempt_count, 0);
    // At most nine more were under way.
    expect(attempts).to.be.within(20, 29).and.to.equal(receiver.received.length);
    expect((await alerts()).length).to.equal(1);
    expect(witness.received.length).to.equal(1);
  });

  it('are not disabled by tests and resends, and a success makes them start anew', async () => {
    await fail(19);
    const [delivery] = await hook.deliveries();
    for (let made = 1; made <= 3; made += 1) {
      const { body: test } = await hook.act('test', { type: 'link.deleted' });
      await until(async () => (await hook.delivery(test.id)).attempt_count === 1, 'a test');
      await mine.api('POST', `/deliveries/${delivery.id}/resend`);
      await until(async () => (await hook.delivery(delivery.id)).attempt_count === 1 + made, 'a resend');
    }
    expect(await hook.shown()).to.include({ status: 'enabled', consecutive_failures: 19 });
    answer = ok;
    await raiseEvents(mine, 1);
    await hook.untilShows({ consecutive_failures: 0 });
    answer = down;
    await raiseEvents(mine, 19);
    await hook.untilShows({ consecutive_failures: 19, status: 'enabled' });
    expect(await alerts()).to.deep.equal([]);
  });

  it('get no deliveries of what is raised meanwhile; what waits goes out when they are enabled', async () => {
    await switchOff();
    const before = await hook.deliveries();
    await raiseEvents(mine, 3);
    await raiseEvents(mine, 1, 'alert.created');
    await alerted(2);
    time.move(24 * HOUR);
    await purge();
    expect(await hook.deliveries()).to.deep.equal(before);
    answer = ok;
    receiver.received.length = 0;
    await enable();
    const after = await hook.untilDeliveries(30, ({ status }) => status === 'succeeded', 'what waited');
    const numbers = (one: { id: string }) => (before.find(({ id }) => id === one.id)?.attempt_count ?? 0) + 1;
    expect(after.map(({ attempt_count }) => attempt_count)).to.deep.equal(after.map(numbers));
    expect(receiver.received.length).to.equal(30);
  });

  it('get all that waited at once when they are enabled, not only what would be due', async () => {
    await switchOff();
    const waiting = (await hook.deliveries()).filter(({ next_attempt_at }) => Date.parse(next_attempt_at) > time.nowMs);
    expect(waiting.length).to.be.above(10);
    answer = ok;
    receiver.received.length = 0;
    await enable();
    await hook.untilDeliveries(30, ({ status }) => status === 'succeeded', 'what waited');
    expect(receiver.received.length).to.equal(30);
  });

  it('are disabled at once by a 410, once, with the alert; not by that of a test or a resend', async () => {
    answer = (response) => response.writeHead(410).end();
    await hook.act('test', { type: 'link.deleted' });
    await hook.untilDeliveries(1, (one) => one.test && one.attempt_count === 1, 'the test');
    answer = ok;
    await raiseEvents(mine, 1);
    const [sent] = await hook.untilDeliveries(1, (one) => !one.test && one.status === 'succeeded', 'a delivery');
    answer = (response) => response.writeHead(410).end();
    await mine.api('POST', `/deliveries/${sent.id}/resend`);
    await hook.untilDeliveries(1, (one) => one.id === sent.id && one.attempt_count === 2, 'the resend');
    expect(await hook.shown()).to.include({ status: 'enabled', consecutive_failures: 0 });
    await raiseEvents(mine, 30);
    await hook.untilShows({ status: 'disabled', disabled_reason: 'gone' });
    await alerted(1);
    const [alert, ...more] = await alerts();
    expect(more).to.deep.equal([]);
    expect(alert).to.include({ webhook_id: hook.id, resolved_at: null });
    expect(alert.message).to.include('410');
    expect(alert.details).to.deep.include({ url: receiver.url, reason: 'gone' });
    answer = ok;
    await enable();
    await hook.untilDeliveries(31, (one) => !one.test && one.status === 'succeeded', 'what waited');
    expect((await alerts()).map(({ resolved_at }) => resolved_at !== null)).to.deep.equal([true]);
  });

  it('are told of anew when they fail anew: enabling resolves the alert', async () => {
    await switchOff();
    const [first] = await alerts();
    expect(first.resolved_at).to.equal(null);
    time.move(10);
    await enable();
    expect((await alerts())[0]).to.include({ id: first.id, resolved_at: new Date(time.nowMs).toISOString() });
    await raiseEvents(mine, 25);
    await hook.untilShows({ status: 'disabled' });
    const [second, ...others] = await alerts();
    expect(others.map(({ id }) => id)).to.deep.equal([first.id]);
    expect(second).to.include({ webhook_id: hook.id, resolved_at: null });
    await alerted(2);
    expect(witness.received.map(({ event }) => event.data.alert.id)).to.deep.equal([first.id, second.id]);
  });

  describe('keep what is pending for 72 hours', () => {
    const cancelled = (one: { status: string; next_attempt_at: string | null }) =>
      one.status === 'cancelled' && one.next_attempt_at === null;

    it('then it is cancelled, with the attempts that it has', async () => {
      await switchOff();
      const before = await hook.deliveries();
      time.move(72 * HOUR - 1);
      await purge();
      expect((await hook.deliveries({ status: 'pending' })).length).to.equal(30);
      time.move(1);
      await purge();
      const after = await hook.deliveries({ status: 'cancelled' });
      expect(after.filter(cancelled).length).to.equal(30);
      expect(after.map(({ attempts }) => attempts)).to.deep.equal(before.map(({ attempts }) => attempts));
      expect((await alerts())[0]).to.include({ resolved_at: null });
      await enable();
      expect((await hook.deliveries()).filter(cancelled).length).to.equal(30);
    });

    it('and cancel it when they are enabled later than that', async () => {
      await switchOff();
      const requests = receiver.received.length;
      answer = ok;
      time.move(72 * HOUR + 1);
      await enable();
      expect((await hook.deliveries()).filter(cancelled).length).to.equal(30);
      await raiseEvents(mine, 1);
      await hook.untilDeliveries(1, ({ status }) => status === 'succeeded', 'the next event');
      expect(receiver.received.length).to.equal(requests + 1);
    });

    it('also when they were disabled by hand', async () => {
      await fail(3);
      await hook.act('disable');
      time.move(72 * HOUR - 1);
      await purge();
      expect((await hook.deliveries()).filter(cancelled).length).to.equal(0);
      time.move(1);
      await purge();
      expect((await hook.deliveries()).filter(cancelled).length).to.equal(3);
    });

    it('also what a process had in hand that was killed', async () => {
      await switchOff();
      const [lost] = await hook.deliveries();
      const hand = { claim: 'lost', dueAt: new Date(time.nowMs + 30_000) };
      await inTransaction((transaction) => Delivery.update(hand, { where: { id: lost.id }, transaction }));
      time.move(72 * HOUR + 1);
      await purge();
      expect((await hook.deliveries()).filter(cancelled).length).to.equal(30);
    });
  });

  it('are disabled likewise when the circuit lets but one probe through at a time', async () => {
    Object.assign(config, { webhookCircuitAfter: 5, webhookProbeSeconds: 1, webhookProbeMaxSeconds: 4 });
    await raiseEvents(mine, 40);
    await hook.untilShows({ circuit: 'open' });
    await until(async () => {
      time.move(4);
      await hook.nudge();
      const { status, consecutive_failures } = await hook.shown();
      expect(consecutive_failures).to.be.at.most(status === 'disabled' ? 20 : 19);
      return status === 'disabled';
    }, 'twenty failures');
    expect(await hook.shown()).to.include({ consecutive_failures: 20, disabled_reason: 'failures' });
    await alerted(1);
    expect([receiver.received.length, (await alerts()).length]).to.deep.equal([20, 1]);
  });

  it('stay enabled where WEBHOOK_DISABLE_AFTER is 0', async () => {
    config.webhookDisableAfter = 0;
    await fail(30);
    expect(await hook.shown()).to.include({ status: 'enabled', consecutive_failures: 30 });
  });
});
