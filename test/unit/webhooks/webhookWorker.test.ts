// stores: any
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import type { Webhook } from '../../../src/models/Webhook.ts';
import type { WebhookWorkers } from '../../../src/webhooks/worker/WebhookWorkers.ts';
import { waitingWebhooks } from '../../../src/webhooks/worker/webhookLeases.ts';
import { FAILED } from '../../support/scriptedSender.ts';
import { type OpenStore, openStore } from '../../support/store.ts';
import { countTransactions, renameTable } from '../../support/storeFaults.ts';
import { until } from '../../support/until.ts';
import {
  deliveriesOf,
  logOf,
  makeDeliveries,
  makeWebhook,
  Processes,
  runWorker,
  statusesOf,
} from '../../support/webhookWorkers.ts';

/** Long enough for whatever would go out wrongly. */
const MOMENT_MS = 150;

describe('the webhook workers of two processes', () => {
  let store: OpenStore;
  let webhook: Webhook;
  const processes = new Processes();
  const start = processes.start.bind(processes);

  before(async () => {
    store = await openStore();
  });
  after(() => store.close());
  beforeEach(async () => {
    processes.useClock();
    webhook = await makeWebhook();
  });
  afterEach(() => processes.stop());

  const open = (workers: WebhookWorkers) => runWorker(workers, webhook);
  const succeeded = (count: number, withinMs = 10_000) =>
    until(async () => (await statusesOf(webhook)).succeeded === count, `${count} sent`, withinMs);

  it('have one worker for a webhook: the other ends at once and sends nothing', async () => {
    const [one, other] = [start({ hangs: true }), start({ hangs: true })];
    await makeDeliveries(webhook, 5);
    open(one.workers);
    await until(() => one.sender.sent.length === 5, 'all under way');
    expect(await open(other.workers)).to.equal(null);
    await makeDeliveries(webhook, 3);
    expect(await open(other.workers)).to.equal(null);
    one.workers.wake(webhook.id);
    await until(() => one.sender.sent.length === 8, 'the new ones under way');
    expect(other.sender.sent).to.deep.equal([]);
    one.sender.answerAll();
    await succeeded(8);
  });

  it('send each delivery once, however both want it', async () => {
    const both = [start(), start()];
    await makeDeliveries(webhook, 120);
    let isDone = false;
    const running = both.map(async ({ workers }) => {
      while (!isDone) await Promise.race([workers.run(webhook.id), delay(5)]);
    });
    await makeDeliveries(webhook, 60);
    await succeeded(180);
    isDone = true;
    await Promise.all(running);
    const counts = both.flatMap(({ sender }) => [...sender.counts().values()]);
    expect(counts).to.have.length(180);
    expect(Math.max(...counts)).to.equal(1);
    expect(new Set(await logOf(webhook))).to.deep.equal(new Set(['1:204']));
  });

  it('take over when a process is not heard of any more; what it says later changes nothing', async () => {
    const [dead, other] = [start({ hangs: true }), start()];
    await makeDeliveries(webhook, 14);
    const ended = open(dead.workers);
    await until(() => dead.sender.sent.length === 10, 'ten under way');
    expect(await waitingWebhooks()).to.not.include(webhook.id);
    processes.aheadMs = 29_000;
    expect(await open(other.workers)).to.equal(null);
    expect(other.sender.sent).to.deep.equal([]);
    processes.aheadMs = 31_000;
    expect(await waitingWebhooks()).to.include(webhook.id);
    open(other.workers);
    await succeeded(14);
    expect([...other.sender.counts().values()]).to.deep.equal(new Array(14).fill(1));

    const [before, log] = [await deliveriesOf(webhook), await logOf(webhook)];
    dead.sender.release(FAILED);
    expect(await ended).to.equal(null);
    expect(dead.sender.sent).to.have.length(10);
    expect((await deliveriesOf(webhook)).map((row) => row.get())).to.deep.equal(before.map((row) => row.get()));
    expect(await logOf(webhook))
      .to.have.members(log)
      .and.to.have.length(14);
    await webhook.reload();
    expect(webhook.consecutiveFailures).to.equal(0);
  });

  it('have at most ten requests in flight for a webhook, the longest due first', async () => {
    const { workers, sender } = start({ hangs: true });
    await makeDeliveries(webhook, 5);
    const oldest = (await deliveriesOf(webhook)).map(({ id }) => id);
    await delay(5);
    await makeDeliveries(webhook, 45);
    open(workers);
    for (let ended = 0; ended < 50; ended += 1) {
      await until(() => sender.sent.length === Math.min(50, ended + 10), `${ended} ended`);
      sender.release(undefined, 1);
    }
    await succeeded(50);
    expect(sender.mostInFlight).to.equal(10);
    expect([...sender.counts().keys()].slice(0, 5)).to.deep.equal(oldest);
    expect(Math.max(...sender.counts().values())).to.equal(1);
  });

  it('end when nothing is due, and tell when something will be', async () => {
    const { workers, sender } = start({ hangs: true });
    await makeDeliveries(webhook, 1);
    const ended = open(workers);
    await until(() => sender.hanging.length === 1, 'a request');
    sender.release(FAILED);
    const next = await ended;
    expect((next as Date).getTime() - clock.now()).to.be.within(9_000, 16_500);
    expect(workers.size).to.equal(0);
    await webhook.reload();
    expect(webhook.lane).to.equal(null);
  });

  it('send what is new at once while they linger', async () => {
    const { workers, sender } = start();
    await makeDeliveries(webhook, 1);
    open(workers);
    await succeeded(1);
    await makeDeliveries(webhook, 1);
    expect(workers.wake(webhook.id)).to.equal(true);
    await until(() => sender.sent.length === 2, 'the new one', 1000);
  });

  describe('that stop', () => {
    it('write down what is in flight, and give back at once what was not sent', async () => {
      const [one, other] = [start({ hangs: true, maxInFlight: 2 }), start()];
      await makeDeliveries(webhook, 12);
      open(one.workers);
      await until(() => one.sender.hanging.length > 0, 'something under way');
      await delay(MOMENT_MS);
      const sent = one.sender.sent.length;
      expect((await deliveriesOf(webhook)).filter(({ claim }) => claim !== null).length).to.be.above(sent);
      const stopped = one.workers.stop().then(() => 'stopped');
      expect(await Promise.race([stopped, delay(MOMENT_MS)]), 'with something in flight').to.equal(undefined);
      one.sender.release();
      await stopped;
      expect(one.sender.sent).to.have.length(sent);
      const rows = await deliveriesOf(webhook);
      expect(rows.filter(({ status }) => status === 'succeeded')).to.have.length(sent);
      const pending = rows.filter(({ status }) => status === 'pending');
      expect(pending.map(({ claim }) => claim)).to.deep.equal(pending.map(() => null));
      for (const { dueAt } of pending) expect(dueAt?.getTime()).to.be.at.most(clock.now());
      open(other.workers);
      await succeeded(12);
      expect(other.sender.sent).to.have.length(12 - sent);
    });

    it('may be stopped twice, and with nothing to do', async () => {
      const { workers } = start();
      await workers.stop();
      await makeDeliveries(webhook, 1);
      open(workers);
      await Promise.all([workers.stop(), workers.stop()]);
      expect(workers.size).to.equal(0);
      await webhook.reload();
      expect(webhook.lane).to.equal(null);
    });
  });

  describe('while the store fails', () => {
    it('keep what came of attempts until it is back', async () => {
      const { workers, sender } = start({ hangs: true });
      await makeDeliveries(webhook, 12);
      open(workers);
      await until(() => sender.hanging.length === 10, 'ten under way');
      await store.goAway();
      sender.release(undefined, 4);
      sender.release(FAILED, 3);
      // Longer than the tries that an error of another kind gets.
      await delay(3200);
      expect(sender.sent).to.have.length(10);
      await store.comeBack();
      await until(() => sender.sent.length === 12, 'the others under way');
      expect(await statusesOf(webhook)).to.deep.equal({ succeeded: 4, pending: 8 });
      sender.answerAll();
      await succeeded(9);
      const log = await logOf(webhook);
      expect(log.filter((entry) => entry === '1:500')).to.have.length(3);
      expect(log).to.have.length(12);
      expect(Math.max(...sender.counts().values())).to.equal(1);
    });

    it('take a turn again that failed for another reason', async () => {
      const { workers, sender } = start({ hangs: true });
      await makeDeliveries(webhook, 3);
      open(workers);
      await until(() => sender.hanging.length === 3, 'three under way');
      await renameTable('attempts', 'attempts_away');
      sender.release();
      await delay(700);
      await renameTable('attempts_away', 'attempts');
      await succeeded(3);
      expect(await logOf(webhook)).to.deep.equal(['1:204', '1:204', '1:204']);
    });
  });

  describe('with something claimed that cannot be sent', () => {
    const startFull = () => processes.startFull(webhook);

    it('send it when a slot becomes free', async () => {
      const { sender, sent } = await startFull();
      expect(sent()).to.equal(0);
      sender.release();
      await succeeded(3, 1000);
      expect([...sender.counts(webhook.url).values()]).to.deep.equal([1, 1, 1]);
    });

    it('give it back when that takes too long, due at once', async () => {
      const { sent } = await startFull();
      await until(
        async () => (await deliveriesOf(webhook)).every(({ claim, dueAt }) => !claim && Number(dueAt) <= clock.now()),
        'it to go back',
        15_000,
      );
      expect(sent()).to.equal(0);
    });

    it('ask the store seldom while they wait', async () => {
      await startFull();
      const asked = countTransactions();
      await delay(3500);
      expect(asked(), 'transactions').to.be.below(20);
    });

    const changes: [what: string, change: Partial<Webhook>][] = [
      ['disabled', { status: 'disabled', disabledReason: 'manual', disabledAt: new Date() }],
      ['deleted', { deletedAt: new Date() }],
    ];
    for (const [what, change] of changes) {
      it(`send nothing of it to a webhook that is ${what} meanwhile`, async () => {
        const { workers, sender, sent } = await startFull();
        await inTransaction((transaction) => webhook.update(change, { transaction }));
        workers.reload(webhook.id);
        await delay(MOMENT_MS);
        sender.release();
        await delay(MOMENT_MS);
        expect(sent()).to.equal(0);
      });
    }
  });

  describe('of a receiver that fails', () => {
    it('stop at the fifth failure, and send one probe at a time until one succeeds', async () => {
      const { workers, sender } = start({ hangs: true });
      await makeDeliveries(webhook, 40);
      open(workers);
      for (let failed = 0; failed < 5; failed += 1) {
        await until(() => sender.sent.length === 10 + failed, 'a full worker');
        sender.release(FAILED, 1);
      }
      await delay(MOMENT_MS);
      expect(sender.sent, 'sent beyond the fifth failure').to.have.length(14);
      sender.release(FAILED);
      await until(async () => (await logOf(webhook)).length === 14, 'all written down');
      await webhook.reload();
      expect(webhook).to.include({ circuit: 'open', status: 'enabled', consecutiveFailures: 14 });

      for (const probe of [1, 2]) {
        processes.aheadMs += 31_000;
        workers.wake(webhook.id);
        await until(() => sender.sent.length === 14 + probe, `probe ${probe}`);
        workers.wake(webhook.id);
        await delay(MOMENT_MS);
        expect(sender.sent, 'beside the probe').to.have.length(14 + probe);
        sender.release(FAILED);
        await until(async () => (await logOf(webhook)).length === 14 + probe, 'the probe written down');
      }
      processes.aheadMs += 61_000;
      workers.wake(webhook.id);
      await until(() => sender.hanging.length === 1, 'the last probe');
      sender.hangs = () => false;
      sender.release();
      await until(() => sender.counts().size === 40, 'what was held');
      await webhook.reload();
      expect(webhook).to.include({ circuit: 'closed', consecutiveFailures: 0, nextProbeAt: null });
    });
  });
});
