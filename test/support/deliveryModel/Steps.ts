import { expect } from 'chai';
import { queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { resendDelivery, testWebhook } from '../../../src/webhooks/deliveryService.ts';
import { cancelHeld, webhooksHeldForTooLong } from '../../../src/webhooks/deliveryStore.ts';
import { fanOut } from '../../../src/webhooks/fanOut.ts';
import { replayWebhook } from '../../../src/webhooks/replayService.ts';
import { runReplayStep } from '../../../src/webhooks/runReplay.ts';
import { rotateSecret } from '../../../src/webhooks/secretService.ts';
import { deleteWebhook, switchWebhook } from '../../../src/webhooks/webhookService.ts';
import type { WorkerState } from '../../../src/webhooks/worker/syncWorker.ts';
import type { Outcome } from './afterAttempt.ts';
import { type Bodies, checkSent } from './checkSent.ts';
import { type DrivenWorker, type Driver, heldIn, START_MS } from './Driver.ts';
import type { Model } from './Model.ts';
import type { ModelDelivery, ModelWebhook } from './modelTypes.ts';

type Handing = Pick<WorkerState, 'wanted' | 'release'>;

/** What can happen, done to the product and to the model alike. */
export class Steps {
  readonly model: Model;
  readonly driver: Driver;
  readonly #bodies: Bodies = new Map();

  constructor(model: Model, driver: Driver) {
    this.model = model;
    this.driver = driver;
  }

  moveClock(ms: number): void {
    this.model.nowMs += ms;
    this.driver.setClock(this.model.nowMs);
  }

  async raise(): Promise<void> {
    this.moveClock(1);
    this.model.raise(await this.driver.raise());
  }

  async fanOut(): Promise<void> {
    while ((await fanOut()).count > 0);
    this.model.fanOut();
  }

  /** Takes a turn and sends what it gives; what was sent stays in flight. Gives whether the lane may go on. */
  async launch(webhook: ModelWebhook, { wanted, release }: Handing, lane = this.driver.lane(webhook.id)) {
    const before = webhook.switchedOff;
    const [finished, heldInFlight] = [[...lane.finished], heldIn(lane.inFlight)];
    const result = await this.driver.sync(lane, { wanted, release, returned: [] });
    const expected = this.model.turn(webhook, {
      word: lane.word,
      finished: finished.map(({ claim, outcome, real }) => ({ claim, outcome, at: real.at.getTime() })),
      returned: [],
      wanted,
      heldInFlight,
      release,
    });
    expect(result.webhook === null, 'the lane is lost').to.equal(expected === null);
    const given = result.claimed.map(({ id, manual, isProbe, isTest }) => ({ id, manual, isProbe, isTest }));
    const claims = expected ?? [];
    expect(given, 'given to send').to.deep.equal(
      claims.map(({ delivery, manual, isProbe }) => ({
        id: delivery.id,
        manual,
        isProbe,
        isTest: delivery.event.isTest,
      })),
    );
    await this.#hearAlerts(webhook, webhook.switchedOff - before);
    return { result, claims, lane };
  }

  async send(webhook: ModelWebhook, wanted: number, release: WorkerState['release'] = 'no'): Promise<boolean> {
    const { result, claims, lane } = await this.launch(webhook, { wanted, release });
    result.claimed.forEach((claimed, at) => {
      const [row, claim] = [result.webhook, claims[at]];
      if (!row || !claim) throw new Error('Given, and by nobody');
      checkSent(this.driver.send(lane, row, claimed, claim), claim, this.model, this.#bodies);
    });
    if (result.isOver) this.forget(webhook);
    else if (claims.length < wanted && this.model.isSettled(webhook))
      expect(result.nextDueAt?.getTime() ?? null, 'next').to.equal(this.model.nextDue(webhook));
    return result.webhook !== null;
  }

  /** Claims, and gives back at once. */
  async giveBack(webhook: ModelWebhook, wanted: number): Promise<void> {
    const { result, claims, lane } = await this.launch(webhook, { wanted, release: 'no' });
    if (!result.webhook) return this.forget(webhook);
    await this.driver.sync(lane, { wanted: 0, release: 'no', returned: result.claimed });
    const nothing = { finished: [], wanted: 0, heldInFlight: 0, release: 'no' } as const;
    this.model.turn(webhook, { ...nothing, finished: [], word: lane.word, returned: claims });
  }

  /** Ends some of what is in flight; what came of it is written down with the next turn. */
  async end(lane: DrivenWorker, outcome: Outcome, most = Number.POSITIVE_INFINITY): Promise<void> {
    for (const attempt of lane.inFlight.splice(0, most))
      lane.finished.push({ real: await attempt.end(outcome), claim: attempt.claim, outcome });
  }

  /** Sends, waits for the ends and writes them down. */
  async attempt(webhook: ModelWebhook, wanted: number, outcome: Outcome): Promise<boolean> {
    const isMine = await this.send(webhook, wanted);
    if (!isMine) return false;
    await this.end(this.driver.lane(webhook.id), outcome);
    return this.send(webhook, 0);
  }

  /** A process dies with what it has in flight, whose ends are yet to come. */
  crash(webhook: ModelWebhook): void {
    this.driver.dead.push(this.driver.lane(webhook.id));
    this.forget(webhook);
  }

  /** What was thought dead comes back. */
  async comeBack(outcome: Outcome): Promise<void> {
    const lane = this.driver.dead.shift();
    const webhook = this.model.webhooks.find(({ id }) => id === lane?.webhookId);
    if (!lane || !webhook) return;
    await this.end(lane, outcome);
    await this.launch(webhook, { wanted: 0, release: 'now' }, lane);
  }

  /** The lane of a webhook gets another word. Attempts in flight go on, with nobody to write down their ends. */
  forget(webhook: ModelWebhook): void {
    const lane = this.driver.lane(webhook.id);
    this.driver.workers.delete(webhook.id);
    if (lane.inFlight.length + lane.finished.length > 0 && !this.driver.dead.includes(lane))
      this.driver.dead.push(lane);
  }

  async resend(delivery: ModelDelivery): Promise<void> {
    const answer = resendDelivery(this.driver.principal, delivery.id);
    if (delivery.webhook.isDeleted) return refused(answer, 'not_found');
    if (delivery.resends >= 10) return refused(answer, 'conflict');
    await answer;
    this.model.resend(delivery);
  }

  async test(webhook: ModelWebhook): Promise<void> {
    this.moveClock(1);
    const answer = testWebhook(this.driver.principal, webhook.id, 'link.created');
    if (webhook.isDeleted) return refused(answer, 'not_found');
    this.model.test(webhook, (await answer).eventId);
  }

  async rotate(webhook: ModelWebhook, expirePreviousSeconds: number | undefined): Promise<void> {
    const take = this.model.rotate(webhook, expirePreviousSeconds ?? 86_400);
    const input = expirePreviousSeconds === undefined ? {} : { expirePreviousSeconds };
    const answer = rotateSecret(this.driver.principal, webhook.id, input);
    if (webhook.isDeleted) return refused(answer, 'not_found');
    if (!take) return refused(answer, 'conflict');
    take((await answer).secret);
  }

  async switch(webhook: ModelWebhook, to: 'enabled' | 'disabled'): Promise<void> {
    const answer = switchWebhook(this.driver.principal, webhook.id, to);
    if (webhook.isDeleted) return refused(answer, 'not_found');
    await answer;
    if (to === 'enabled') this.model.enable(webhook);
    else this.model.disable(webhook, 'manual');
  }

  async delete(webhook: ModelWebhook): Promise<void> {
    const answer = deleteWebhook(this.driver.principal, webhook.id);
    if (webhook.isDeleted) return refused(answer, 'not_found');
    await answer;
    webhook.isDeleted = true;
  }

  async replay(webhook: ModelWebhook, status: 'failed' | 'missing' | 'all'): Promise<void> {
    const since = Math.max(START_MS, this.model.nowMs - 29 * 86_400_000);
    const answer = replayWebhook(this.driver.principal, webhook.id, { since: new Date(since), status });
    if (webhook.isDeleted) return refused(answer, 'not_found');
    if (webhook.status === 'disabled') return refused(answer, 'conflict');
    const { count } = await answer;
    while (await runReplayStep());
    expect(count, 'sent again').to.equal(this.model.replay(webhook, status, since));
  }

  /** As the hourly job does. */
  async cancelHeld(): Promise<void> {
    const held = await webhooksHeldForTooLong();
    while (held.length > 0 && (await inTransaction((transaction) => cancelHeld(held, transaction))) > 0);
    for (const webhook of this.model.webhooks.filter(({ isDeleted }) => !isDeleted)) this.model.cancelHeld(webhook);
  }

  async #hearAlerts(webhook: ModelWebhook, count: number): Promise<void> {
    const rows = await queryRaw<{ id: string }>("SELECT id FROM events WHERE type = 'alert.created'", []);
    const known = new Set(this.model.events.map(({ id }) => id));
    const heard = rows.filter(({ id }) => !known.has(id));
    expect(heard.length, 'alerts of one turn').to.equal(count);
    for (const { id } of heard) this.model.raise(id, webhook.id);
  }
}

async function refused(answer: Promise<unknown>, code: string): Promise<void> {
  const error = await answer.then(
    () => null,
    (reason: { code?: string }) => reason,
  );
  expect(error?.code, 'a refusal').to.equal(code);
}
