// stores: any
import { expect } from 'chai';
import { constructEvent } from '../../../sdk/webhooks/index.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { Webhook } from '../../../src/models/Webhook.ts';
import { type Hook, makeHook } from '../../support/makeHook.ts';
import { raiseEvents } from '../../support/raiseEvents.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { type StoppedClock, stopClock } from '../../support/stopClock.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { startWorld, type World } from '../../support/world.ts';

/** Seconds between the ten attempts. */
const GAPS = [15, 60, 300, 1200, 3600, 7200, 14_400, 23_400, 36_000];

type Answer = [status: number, headers?: Record<string, string>];

describe('retries of deliveries', () => {
  let world: World;
  let teamId: string;
  let mine: Tenant;
  let receiver: Receiver;
  let time: StoppedClock;
  /** By the path of the webhook's URL. */
  let answers: Record<string, Answer>;

  before(async () => {
    receiver = await startReceiver((request, response) => {
      const [status, headers] = answers[request.url ?? ''] ?? [500];
      response.writeHead(status, headers).end();
    });
    // The schedule alone: neither a circuit nor switching off gets in its way.
    world = await startWorld({ WEBHOOK_CIRCUIT_AFTER: '0', WEBHOOK_DISABLE_AFTER: '0', WEBHOOK_SWEEP_SECONDS: '1' });
    teamId = (await firstTenant(world)).teamId;
  });
  after(() => Promise.all([world.stop(), receiver.close()]));
  beforeEach(async () => {
    answers = {};
    receiver.received.length = 0;
    time = stopClock();
    mine = await makeTenant(world, teamId);
  });
  afterEach(() => clock.reset());

  const hookAt = (path: string) => makeHook(mine.api, { url: new URL(path, receiver.url).href });
  const made = (hook: Hook, count: number, attempts: number) =>
    hook.untilDeliveries(count, (one) => one.attempt_count === attempts, `${attempts} attempts of ${count} deliveries`);
  const dueMs = ({ next_attempt_at }: { next_attempt_at: string }) => Date.parse(next_attempt_at);
  const secondsUntil = (delivery: { next_attempt_at: string }) => (dueMs(delivery) - time.nowMs) / 1000;
  const requestsFor = (id: string) => receiver.received.filter(({ headers }) => headers['svc-delivery-id'] === id);

  it('come after the gaps of the schedule, each up to a tenth shorter or longer, ten attempts in all; then it failed', async () => {
    const count = 30;
    const hook = await hookAt('/schedule');
    await raiseEvents(mine, count);
    const spread: number[] = [];
    for (const [at, gap] of GAPS.entries()) {
      const deliveries = await made(hook, count, at + 1);
      for (const delivery of deliveries) {
        expect(delivery.status).to.equal('pending');
        expect(secondsUntil(delivery)).to.be.within(gap * 0.9, gap * 1.1);
        spread.push(secondsUntil(delivery) / gap);
      }
      time.move(gap * 1.1);
      await hook.nudge();
    }
    expect(Math.min(...spread)).to.be.below(0.97);
    expect(Math.max(...spread)).to.be.above(1.03);
    for (const delivery of await made(hook, count, 10)) {
      expect(delivery).to.include({ status: 'failed', next_attempt_at: null });
      expect(delivery.attempts.map(({ number }: { number: number }) => number)).to.deep.equal(
        Array.from({ length: 10 }, (_, index) => index + 1),
      );
    }
    time.move(10 * 86_400);
    await hook.nudge();
    const last = await hookAt('/ok');
    answers['/ok'] = [200];
    await raiseEvents(mine, 1);
    await last.untilDeliveries(1, ({ status }) => status === 'succeeded', 'a later event');
    expect((await hook.deliveries({ status: 'failed' })).length).to.equal(count);
    expect(receiver.received.filter(({ headers }) => Number(headers['svc-attempt']) > 10)).to.deep.equal([]);
  });

  it('are not made before they are due', async () => {
    const hook = await hookAt('/due');
    await raiseEvents(mine, 20);
    const first = (await made(hook, 20, 1)).sort((one, other) => dueMs(one) - dueMs(other));
    const middle = dueMs(first[9]);
    time.move((middle - time.nowMs) / 1000);
    await hook.nudge();
    const due = first.filter((delivery) => dueMs(delivery) <= middle).map(({ id }) => id);
    const again = await made(hook, due.length, 2);
    expect(again.map(({ id }) => id)).to.have.members(due);
    expect((await made(hook, 20 - due.length, 1)).length).to.equal(20 - due.length);
  });

  it('have the same bytes each time, a number of their own, and a fresh signature', async () => {
    const hook = await hookAt('/bytes');
    await mine.api('POST', '/links', { destination: 'https://www.example.com/', title: 'Grüße – 🙂 "\u2028' });
    const [delivery] = await made(hook, 1, 1);
    for (const attempts of [2, 3, 4]) {
      time.move((GAPS[attempts - 2] as number) * 1.1);
      await hook.nudge();
      await made(hook, 1, attempts);
    }
    const requests = requestsFor(delivery.id);
    expect(requests.map(({ headers }) => headers['svc-attempt'])).to.deep.equal(['1', '2', '3', '4']);
    const shown = await hook.delivery(delivery.id);
    for (const [at, { headers, body }] of requests.entries()) {
      expect(body).to.equal(delivery.request_body);
      expect(headers).to.include({ 'svc-event-id': delivery.event_id, 'svc-delivery-id': delivery.id });
      const signed = new Date(shown.attempts[at].at);
      const event = constructEvent(body, headers['svc-signature'], hook.secret, { now: signed, toleranceSeconds: 0 });
      expect(event).to.include({ id: delivery.event_id, type: 'link.created' });
      expect(headers['svc-signature']).to.match(/^t=\d+,v1=[0-9a-f]{64}$/);
      expect(() => constructEvent(`${body} `, headers['svc-signature'], hook.secret, { now: signed })).to.throw();
    }
    expect(new Set(requests.map(({ headers }) => headers['svc-signature'])).size).to.equal(4);
    expect(shown.request_body).to.equal(delivery.request_body);
  });

  it('end with a success', async () => {
    const hook = await hookAt('/success');
    await raiseEvents(mine, 1);
    await made(hook, 1, 1);
    answers['/success'] = [200];
    time.move((GAPS[0] as number) * 1.1);
    await hook.nudge();
    const [delivery] = await made(hook, 1, 2);
    expect(delivery).to.include({ status: 'succeeded', next_attempt_at: null });
    expect(delivery.attempts.map(({ error }: { error: string }) => error)).to.deep.equal(['status', null]);
  });

  it('are found by the sweep when nobody tells of them', async () => {
    const hook = await hookAt('/sweep');
    await raiseEvents(mine, 1);
    await made(hook, 1, 1);
    time.move((GAPS[0] as number) * 1.1);
    await made(hook, 1, 2);
  });

  it('wait as long as Retry-After of a 429 or 503 says, which can only lengthen a gap, to two hours', async () => {
    const date = (seconds: number) => new Date(time.nowMs + seconds * 1000).toUTCString();
    const gap = [13.5, 16.5];
    const table: [Answer, expected: number[]][] = [
      [
        [429, { 'Retry-After': '60' }],
        [60, 60],
      ],
      [
        [503, { 'Retry-After': '61' }],
        [61, 61],
      ],
      [
        [429, { 'Retry-After': date(100) }],
        [100, 100],
      ],
      [
        [503, { 'Retry-After': date(101) }],
        [101, 101],
      ],
      [
        [429, { 'Retry-After': '7200' }],
        [7200, 7200],
      ],
      [
        [429, { 'Retry-After': '7201' }],
        [7200, 7200],
      ],
      [
        [503, { 'Retry-After': '999999999' }],
        [7200, 7200],
      ],
      [
        [503, { 'Retry-After': date(86_400) }],
        [7200, 7200],
      ],
      [[429, { 'Retry-After': '5' }], gap],
      [[429, { 'Retry-After': '0' }], gap],
      [[503, { 'Retry-After': date(-100) }], gap],
      [[503, { 'Retry-After': 'soon' }], gap],
      [[503, { 'Retry-After': '-60' }], gap],
      [[503, {}], gap],
      [[500, { 'Retry-After': '60' }], gap],
      [[502, { 'Retry-After': '60' }], gap],
      [[404, { 'Retry-After': '60' }], gap],
      [[301, { 'Retry-After': '60' }], gap],
    ];
    const hooks = await Promise.all(
      table.map(async ([answer], at) => {
        answers[`/after-${at}`] = answer;
        return hookAt(`/after-${at}`);
      }),
    );
    await raiseEvents(mine, 1);
    for (const [at, [answer, [least, most]]] of table.entries()) {
      const [delivery] = await made(hooks[at] as Hook, 1, 1);
      expect(secondsUntil(delivery), JSON.stringify(answer)).to.be.within(least as number, most as number);
    }
    // The second gap is a minute: what was asked for the first is forgotten.
    const [hook] = hooks as [Hook];
    answers['/after-0'] = [500];
    time.move(60);
    await hook.nudge();
    const [delivery] = await made(hook, 1, 2);
    expect(secondsUntil(delivery)).to.be.within(54, 66);
  });

  it('are not used up by a fault of ours', async () => {
    const hook = await hookAt('/fault');
    const { secrets } = await Webhook.findByPk(hook.id, { rejectOnEmpty: true });
    const seal = (value: string) =>
      inTransaction((transaction) => Webhook.update({ secrets: value }, { where: { id: hook.id }, transaction }));
    await seal('cannot be opened');
    await raiseEvents(mine, 1);
    const [delivery] = await hook.untilDeliveries(1, (one) => dueMs(one) > time.nowMs, 'the fault');
    expect(delivery).to.include({ status: 'pending', attempt_count: 0 });
    expect(delivery.attempts).to.deep.equal([]);
    expect(await hook.shown()).to.include({ consecutive_failures: 0, circuit: 'closed' });
    await seal(secrets);
    answers['/fault'] = [200];
    time.move(60);
    await hook.nudge();
    const [sent] = await made(hook, 1, 1);
    expect(sent.status).to.equal('succeeded');
    expect(requestsFor(sent.id).map(({ headers }) => headers['svc-attempt'])).to.deep.equal(['1']);
  });
});
