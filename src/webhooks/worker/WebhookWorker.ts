import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isStoreDown } from '../../db/isStoreDown.ts';
import { clock, now } from '../../kernel/clock.ts';
import { log } from '../../kernel/log.ts';
import type { Webhook } from '../../models/Webhook.ts';
import { type Health, mayGo } from '../breaker.ts';
import { makeAttempt } from '../makeAttempt.ts';
import { QUEUE } from '../queue.ts';
import type { Sender } from '../send.ts';
import type { Claimed } from './claimDue.ts';
import { judgeAll } from './judge.ts';
import type { Slots } from './Slots.ts';
import type { Finished } from './settle.ts';
import { type Turn, type TurnResult, takeTurn } from './turn.ts';

/** Requests in flight to one webhook at once; the number of the contract. */
const MOST = 10;
/** Claimed ahead at most, of a receiver that is faster than our turns with the store. */
const MOST_AHEAD = 20;
/** A lane with nothing to do stays for what comes next, since to open one costs more than to keep it. */
const LINGER_MS = 2000;
/** Then it ends, however much there is to do, so that another process may get it. */
const RUN_MS = 300_000;
/** So often it shows at least that it lives: well within its lease. */
const HEARTBEAT_MS = 8000;
/** How long until a turn that failed is tried again, and how often when it is not the store that is down. */
const AGAIN_MS = 500;
const TRIES = 5;
/** What is ready and could not be sent for so long goes back, well before its claim ends. */
const STALE_MS = 5000;

/**
 * Sends what is due for one webhook, from when there is something until there is not. One process has the lane of a
 * webhook at a time, by the word of the store; in that process one object of this class.
 */
export class Lane {
  readonly #webhookId: string;
  readonly #sender: Sender;
  readonly #slots: Slots;
  readonly #word = randomUUID();
  readonly #startedAt = performance.now();

  #webhook: Webhook | null = null;
  /** Claimed and not sent. */
  #ready: Claimed[] = [];
  /** Handed in with the turn that is being taken. */
  #settling: Finished[] = [];
  /** To be handed in with the next turn. */
  #finished: Finished[] = [];
  #returned: Claimed[] = [];
  /** Requests under way, and those of them that an open circuit would hold. */
  #inFlight = 0;
  #heldInFlight = 0;
  /** Attempts that ended while the last turn was taken: as many could have been sent at once. */
  #ahead = 0;

  /** Something may be due that is not claimed. */
  #mayHaveMore = true;
  #nextDueAt: Date | null = null;
  #lastTurnAt = performance.now();
  #busyAt = performance.now();
  #isStopping = false;
  /** How often it was said that the webhook has changed, and how much of that the last turn has seen. */
  #changes = 0;
  #seenChanges = 0;
  #rouse = () => {};

  constructor(webhookId: string, sender: Sender, slots: Slots) {
    this.#webhookId = webhookId;
    this.#sender = sender;
    this.#slots = slots;
  }

  /** Sends until nothing is due; gives when there will be something next, null for never. */
  async run(): Promise<Date | null> {
    for (;;) {
      while (!this.#hasToDo()) await this.#sleep();
      const result = await this.#takeTurn();
      this.#launch();
      if (result.isOver && this.#isEmpty) {
        this.#slots.forget(this.#asker);
        return this.#mayHaveMore && result.webhook ? now() : result.nextDueAt;
      }
    }
  }

  /** There is something new for the webhook. */
  wake(): void {
    this.#mayHaveMore = true;
    this.#rouse();
  }

  /** The webhook was changed: nothing is sent by what is known of it. */
  refresh(): void {
    this.#changes += 1;
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

  #hasToDo(): boolean {
    if (this.#finished.length > 0 || this.#returned.length > 0) return true;
    if (this.#isStale && this.#ready.length > 0) return true;
    const nowMs = performance.now();
    if (nowMs - this.#lastTurnAt > HEARTBEAT_MS) return true;
    if (this.#inFlight === 0 && this.#isEnding) return true;
    if (this.#canIdle && nowMs - this.#busyAt >= LINGER_MS) return true;
    if (this.#nextDueAt && this.#nextDueAt.getTime() <= clock.now()) this.#mayHaveMore = true;
    return this.#mayHaveMore && this.#wanted() > 0;
  }

  /** Until something happens, or the next of what comes by itself. */
  #sleep(): Promise<void> {
    // Something to do, and nothing to do it with.
    if (this.#webhook && (this.#mayHaveMore || this.#ready.length > 0)) {
      this.#slots.whenOpen(this.#asker, this.#onOpen);
    }
    const nowMs = performance.now();
    const isDueKnown = this.#nextDueAt && !this.#mayHaveMore;
    const dueInMs = isDueKnown ? (this.#nextDueAt as Date).getTime() - clock.now() : HEARTBEAT_MS;
    const lingerMs = this.#canIdle ? this.#busyAt + LINGER_MS - nowMs : HEARTBEAT_MS;
    const heartbeatMs = this.#lastTurnAt + HEARTBEAT_MS - nowMs;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#rouse(), Math.max(1, Math.min(dueInMs, lingerMs, heartbeatMs) + 1));
      this.#rouse = () => {
        this.#rouse = () => {};
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** What is known of the webhook may be out of date: nothing is sent before a turn has looked. */
  get #isStale(): boolean {
    return this.#seenChanges !== this.#changes;
  }

  get #isEmpty(): boolean {
    const kept = this.#ready.length + this.#finished.length + this.#returned.length;
    return this.#inFlight === 0 && kept === 0;
  }

  /** Without a slot it waits for one, however long that takes. */
  get #canIdle(): boolean {
    return this.#inFlight === 0 && this.#ready.length === 0 && this.#wanted() > 0;
  }

  #wanted(): number {
    if (this.#isEnding) return 0;
    const most = Math.min(MOST - this.#inFlight, this.#webhook ? this.#slots.open(this.#asker) : MOST);
    return Math.max(0, most + Math.min(this.#ahead, MOST_AHEAD) - this.#ready.length);
  }

  get #asker() {
    return { webhookId: this.#webhookId, teamId: this.#webhook?.teamId ?? '' };
  }

  async #takeTurn(): Promise<TurnResult> {
    const wanted = this.#wanted();
    const turn: Turn = {
      webhookId: this.#webhookId,
      lane: this.#word,
      finished: this.#finished,
      returned: this.#returned,
      wanted,
      inFlight: this.#heldInFlight + this.#ready.filter(isHeld).length,
      ending: this.#ending(wanted),
    };
    this.#settling = this.#finished;
    this.#finished = [];
    this.#returned = [];
    const changes = this.#changes;
    if (wanted > 0) this.#mayHaveMore = false;
    const result = await this.#repeated(turn);
    this.#lastTurnAt = performance.now();
    this.#ahead = this.#finished.length;
    this.#webhook = result.webhook;
    this.#seenChanges = changes;
    this.#settling = [];
    this.#ready.push(...result.claimed);
    if (result.claimed.length > 0 || turn.ending === 'when_idle') this.#busyAt = performance.now();
    if (wanted > 0) {
      this.#mayHaveMore ||= result.claimed.length === wanted;
      this.#nextDueAt = result.nextDueAt;
    }
    return result;
  }

  #ending(wanted: number): Turn['ending'] {
    if (this.#inFlight > 0 || this.#ready.length > 0) return 'no';
    if (this.#isEnding) return 'now';
    return wanted > 0 && performance.now() - this.#busyAt >= LINGER_MS ? 'when_idle' : 'no';
  }

  /** While the store is down the turn waits: what came of attempts is not lost by it. */
  async #repeated(turn: Turn): Promise<TurnResult> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await takeTurn(turn);
      } catch (error) {
        if (tries >= TRIES && (this.#isStopping || !isStoreDown(error))) throw error;
        log.warn({ err: error, webhook: this.#webhookId }, 'a turn of a webhook failed; it is taken again');
        await delay(AGAIN_MS);
      }
    }
  }

  /** Sends what is ready, as far as the circuit and the slots of the process let it. */
  #launch(): void {
    if (this.#isStale) {
      this.#rouse();
      return;
    }
    const ready = this.#ready;
    this.#ready = [];
    // By what is known now: what came of the last attempts may not be in the store yet.
    const health = this.#webhook && judgeAll(this.#webhook, [...this.#settling, ...this.#finished]);
    for (const delivery of ready) {
      if (!this.#webhook || !health || this.#isEnding || isStale(delivery) || !this.#mayGo(delivery, health))
        this.#returned.push(delivery);
      else if (this.#inFlight >= MOST || !this.#slots.take(this.#asker)) this.#ready.push(delivery);
      else void this.#send(delivery, this.#webhook);
    }
    if (this.#returned.length > 0) this.#rouse();
  }

  #onOpen = (): void => {
    this.#launch();
    this.#rouse();
  };

  #mayGo(delivery: Claimed, health: Health): boolean {
    if (!isHeld(delivery)) return true;
    const going = mayGo(health, { nowMs: clock.now(), inFlight: this.#heldInFlight });
    return going === 'all' || (going === 'probe' && delivery.isProbe);
  }

  async #send(delivery: Claimed, webhook: Webhook): Promise<void> {
    const { teamId } = webhook;
    const held = isHeld(delivery) ? 1 : 0;
    this.#inFlight += 1;
    this.#heldInFlight += held;
    const at = now();
    const result = await makeAttempt(delivery, webhook, this.#sender);
    this.#inFlight -= 1;
    this.#heldInFlight -= held;
    this.#busyAt = performance.now();
    this.#finished.push({ delivery, at, result });
    this.#slots.giveBack({ webhookId: this.#webhookId, teamId });
    if (this.#ready.length > 0) this.#launch();
    this.#rouse();
  }
}

function isStale({ claimedAtMs }: Claimed): boolean {
  return performance.now() - claimedAtMs > STALE_MS;
}

/** Whether an open circuit holds it. */
function isHeld({ queue }: Claimed): boolean {
  return queue !== QUEUE.byHand;
}
