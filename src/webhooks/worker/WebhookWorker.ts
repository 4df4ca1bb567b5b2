import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isStoreDown } from '../../db/storeFailures.ts';
import { clock, now } from '../../kernel/clock.ts';
import { log } from '../../kernel/log.ts';
import { QUEUE } from '../../models/queue.ts';
import { DEFAULT_IN_FLIGHT, type Webhook } from '../../models/Webhook.ts';
import { type Health, mayGo } from '../decideCircuit.ts';
import { makeAttempt } from '../makeAttempt.ts';
import type { Sender } from '../send.ts';
import type { FinishedAttempt } from './applyAttempts.ts';
import { type ClaimedDelivery, MOST_AHEAD } from './claimDeliveries.ts';
import { decideHealth } from './decideHealth.ts';
import type { Slots } from './Slots.ts';
import { type SyncResult, syncWorker, type WorkerState } from './syncWorker.ts';

/** A worker with nothing to do stays for what comes next: starting one costs more than keeping it. */
const LINGER_MS = 2000;
/** Then it ends, however much is due, so that another process may get the webhook. */
const RUN_MS = 300_000;
/** It renews its lease at least this often. */
const HEARTBEAT_MS = 8000;
/** Pause before a failed sync is repeated, and how often that is done when the store is not down. */
const AGAIN_MS = 500;
const TRIES = 5;
/** A claimed delivery that could not be sent within this time is given back, well before its claim ends. */
const STALE_MS = 5000;

/**
 * Sends what is due for one webhook, until nothing is. One process at a time has the lease of a webhook, which stands in
 * the webhook's row; in that process it has one worker.
 */
export class WebhookWorker {
  readonly #webhookId: string;
  readonly #sender: Sender;
  readonly #slots: Slots;
  readonly #leaseId = randomUUID();
  readonly #startedAt = performance.now();

  #webhook: Webhook | null = null;
  /** Claimed and not sent. */
  #ready: ClaimedDelivery[] = [];
  /** Handed in with the sync under way. */
  #syncing: FinishedAttempt[] = [];
  /** To be handed in with the next sync. */
  #finished: FinishedAttempt[] = [];
  #returned: ClaimedDelivery[] = [];
  /** Requests under way, and those of them that an open circuit would hold. */
  #inFlight = 0;
  #heldInFlight = 0;
  /** Attempts that ended during the last sync: as many could have been sent at once. */
  #ahead = 0;

  /** Something may be due that is not claimed. */
  #mayHaveMore = true;
  #nextDueAt: Date | null = null;
  #lastSyncAt = performance.now();
  #busyAt = performance.now();
  #isStopping = false;
  /** Announced changes of the webhook, and how many of them the last sync has seen. */
  #changes = 0;
  #seenChanges = 0;
  #rouse = () => {};

  constructor(webhookId: string, sender: Sender, slots: Slots) {
    this.#webhookId = webhookId;
    this.#sender = sender;
    this.#slots = slots;
  }

  /** Sends until nothing is due. Returns when something will be due next; null: never, as far as is known. */
  async run(): Promise<Date | null> {
    for (;;) {
      while (!this.#hasWork()) await this.#sleep();
      const result = await this.#sync();
      this.#launch();
      if (result.isOver && this.#isEmpty) {
        this.#slots.forget(this.#owner);
        return this.#mayHaveMore && result.webhook ? now() : result.nextDueAt;
      }
    }
  }

  /** There is something new for the webhook. */
  wake(): void {
    this.#mayHaveMore = true;
    this.#rouse();
  }

  /** The webhook was changed: nothing is sent before it was read again, and what was claimed is claimed again. */
  reload(): void {
    this.#changes += 1;
    this.#returned.push(...this.#ready.splice(0));
    this.wake();
  }

  /** Claims nothing more; `run` ends when what is in flight has ended. */
  stop(): void {
    this.#isStopping = true;
    this.#rouse();
  }

  get #isEnding(): boolean {
    return this.#isStopping || performance.now() - this.#startedAt > RUN_MS;
  }

  #hasWork(): boolean {
    if (this.#finished.length > 0 || this.#returned.length > 0) return true;
    if (this.#isOutdated && this.#ready.length > 0) return true;
    const nowMs = performance.now();
    if (nowMs - this.#lastSyncAt > HEARTBEAT_MS) return true;
    if (this.#inFlight === 0 && this.#isEnding) return true;
    if (this.#canIdle && nowMs - this.#busyAt >= LINGER_MS) return true;
    if (this.#nextDueAt && this.#nextDueAt.getTime() <= clock.now()) this.#mayHaveMore = true;
    return this.#mayHaveMore && this.#wanted() > 0;
  }

  /** Resolves when something happened, or when the next thing that needs no event is due. */
  #sleep(): Promise<void> {
    // There is something to send, and no slot for it.
    if (this.#webhook && (this.#mayHaveMore || this.#ready.length > 0)) {
      this.#slots.whenOpen(this.#owner, this.#onOpen);
    }
    const nowMs = performance.now();
    const isDueKnown = this.#nextDueAt && !this.#mayHaveMore;
    const dueInMs = isDueKnown ? (this.#nextDueAt as Date).getTime() - clock.now() : HEARTBEAT_MS;
    const lingerMs = this.#canIdle ? this.#busyAt + LINGER_MS - nowMs : HEARTBEAT_MS;
    const heartbeatMs = this.#lastSyncAt + HEARTBEAT_MS - nowMs;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#rouse(), Math.max(1, Math.min(dueInMs, lingerMs, heartbeatMs) + 1));
      this.#rouse = () => {
        this.#rouse = () => {};
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** The webhook may have changed: nothing is sent before a sync has read it. */
  get #isOutdated(): boolean {
    return this.#seenChanges !== this.#changes;
  }

  get #isEmpty(): boolean {
    const kept = this.#ready.length + this.#finished.length + this.#returned.length;
    return this.#inFlight === 0 && kept === 0;
  }

  /** A worker without a slot is not idle: it waits for one, however long that takes. */
  get #canIdle(): boolean {
    return this.#inFlight === 0 && this.#ready.length === 0 && this.#wanted() > 0;
  }

  #wanted(): number {
    if (this.#isEnding) return 0;
    const open = this.#webhook ? this.#slots.open(this.#owner) : this.#most;
    const most = Math.min(this.#most - this.#inFlight, open);
    return Math.max(0, most + Math.min(this.#ahead, MOST_AHEAD) - this.#ready.length);
  }

  get #owner() {
    return { webhookId: this.#webhookId, teamId: this.#webhook?.teamId ?? '', most: this.#most };
  }

  get #most(): number {
    return this.#webhook?.maxInFlight ?? DEFAULT_IN_FLIGHT;
  }

  async #sync(): Promise<SyncResult> {
    const wanted = this.#wanted();
    const state: WorkerState = {
      webhookId: this.#webhookId,
      leaseId: this.#leaseId,
      finished: this.#finished,
      returned: this.#returned,
      wanted,
      inFlight: this.#heldInFlight + this.#ready.filter(isHeld).length,
      release: this.#release(wanted),
    };
    this.#syncing = this.#finished;
    this.#finished = [];
    this.#returned = [];
    const changes = this.#changes;
    if (wanted > 0) this.#mayHaveMore = false;
    const result = await this.#repeatedSync(state);
    this.#lastSyncAt = performance.now();
    this.#ahead = this.#finished.length;
    this.#webhook = result.webhook;
    this.#seenChanges = changes;
    this.#syncing = [];
    this.#ready.push(...result.claimed);
    if (result.claimed.length > 0 || state.release === 'when_idle') this.#busyAt = performance.now();
    if (wanted > 0) {
      this.#mayHaveMore ||= result.claimed.length === wanted;
      this.#nextDueAt = result.nextDueAt;
    }
    return result;
  }

  #release(wanted: number): WorkerState['release'] {
    if (this.#inFlight > 0 || this.#ready.length > 0) return 'no';
    if (this.#isEnding) return 'now';
    return wanted > 0 && performance.now() - this.#busyAt >= LINGER_MS ? 'when_idle' : 'no';
  }

  /** While the store is down the sync waits, so that the outcomes of attempts are not lost. */
  async #repeatedSync(state: WorkerState): Promise<SyncResult> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await syncWorker(state);
      } catch (error) {
        if (tries >= TRIES && (this.#isStopping || !isStoreDown(error))) throw error;
        log.warn({ err: error, webhook: this.#webhookId }, 'a sync of a webhook worker failed; it will be repeated');
        await delay(AGAIN_MS);
      }
    }
  }

  /** Sends what is ready, as far as the circuit and the slots of the process allow. */
  #launch(): void {
    if (this.#isOutdated) {
      this.#rouse();
      return;
    }
    const ready = this.#ready;
    this.#ready = [];
    // The outcomes of the last attempts may not be in the store yet.
    const health = this.#webhook && decideHealth(this.#webhook, [...this.#syncing, ...this.#finished]);
    for (const delivery of ready) {
      if (!this.#webhook || !health || this.#isEnding || hasWaitedTooLong(delivery) || !this.#mayGo(delivery, health))
        this.#returned.push(delivery);
      else if (this.#inFlight >= this.#most || !this.#slots.take(this.#owner)) this.#ready.push(delivery);
      else void this.#send(delivery, this.#webhook);
    }
    if (this.#returned.length > 0) this.#rouse();
  }

  #onOpen = (): void => {
    this.#launch();
    this.#rouse();
  };

  #mayGo(delivery: ClaimedDelivery, health: Health): boolean {
    if (!isHeld(delivery)) return true;
    const going = mayGo(health, { nowMs: clock.now(), inFlight: this.#heldInFlight });
    return going === 'all' || (going === 'probe' && delivery.isProbe);
  }

  async #send(delivery: ClaimedDelivery, webhook: Webhook): Promise<void> {
    const owner = this.#owner;
    const held = isHeld(delivery) ? 1 : 0;
    this.#inFlight += 1;
    this.#heldInFlight += held;
    const at = now();
    const result = await makeAttempt(delivery, webhook, this.#sender);
    this.#inFlight -= 1;
    this.#heldInFlight -= held;
    this.#busyAt = performance.now();
    this.#finished.push({ delivery, at, result });
    this.#slots.giveBack(owner);
    if (this.#ready.length > 0) this.#launch();
    this.#rouse();
  }
}

function hasWaitedTooLong({ claimedAtMs }: ClaimedDelivery): boolean {
  return performance.now() - claimedAtMs > STALE_MS;
}

/** Whether an open circuit holds it. */
function isHeld({ queue }: ClaimedDelivery): boolean {
  return queue !== QUEUE.byHand;
}
