import { deliveryId } from '../../../src/webhooks/deliveryStore.ts';
import { afterAttempt, afterFault, earliest, type Moment, type Outcome } from './afterAttempt.ts';
import type { ModelClaim, ModelDelivery, ModelEvent, ModelSettings, ModelTurn, ModelWebhook } from './modelTypes.ts';

/** Seconds that a lane, and what it has claimed, stays its own after it was heard of last. */
const LEASE_MS = 30_000;
const HELD_MS = 72 * 3_600_000;

/** What the contract says of webhooks and their deliveries, in memory and one thing at a time. */
export class Model {
  nowMs = 0;
  readonly settings: ModelSettings;
  readonly webhooks: ModelWebhook[] = [];
  readonly deliveries: ModelDelivery[] = [];
  readonly events: ModelEvent[] = [];

  constructor(settings: ModelSettings) {
    this.settings = settings;
  }

  addWebhook(id: string, secret: string): void {
    const secrets = [{ secret, until: Number.POSITIVE_INFINITY }];
    const health = { circuit: 'closed', failures: 0, pause: 0, nextProbeAt: null } as const;
    const state = { status: 'enabled', isDeleted: false, disabledAt: null, reason: null } as const;
    this.webhooks.push({
      id,
      ...state,
      ...health,
      secrets,
      everySecret: [secret],
      switchedOff: 0,
      lane: null,
      generation: 0,
    });
  }

  raise(id: string, except: string | null = null): void {
    this.events.push({ id, at: this.nowMs, except, isTest: false, isFannedOut: false });
  }

  fanOut(): void {
    for (const event of this.events.filter(({ isFannedOut }) => !isFannedOut)) {
      event.isFannedOut = true;
      for (const webhook of this.webhooks) {
        if (webhook.status === 'enabled' && !webhook.isDeleted && event.except !== webhook.id)
          this.plan(webhook, event, 1);
      }
    }
  }

  test(webhook: ModelWebhook, eventId: string): void {
    const event = { id: eventId, at: this.nowMs, except: null, isTest: true, isFannedOut: true };
    this.events.push(event);
    this.plan(webhook, event, 0);
  }

  plan(webhook: ModelWebhook, event: ModelEvent, queue: 0 | 1 | 2): void {
    const due = { nextAt: this.nowMs, dueAt: this.nowMs };
    const id = deliveryId(event, webhook);
    this.deliveries.push({ id, webhook, event, status: 'pending', log: [], resends: 0, queue, ...due, claim: null });
  }

  of(webhook: ModelWebhook): ModelDelivery[] {
    return this.deliveries.filter((delivery) => delivery.webhook === webhook);
  }

  liveSecrets({ secrets }: ModelWebhook): string[] {
    return secrets.filter(({ until }) => until > this.nowMs).map(({ secret }) => secret);
  }

  /** Secrets that have signed once and must not any more. */
  deadSecrets(webhook: ModelWebhook): string[] {
    const live = new Set(this.liveSecrets(webhook));
    return webhook.everySecret.filter((secret) => !live.has(secret));
  }

  /** Whether a rotation is possible, which then awaits the new secret. */
  rotate(webhook: ModelWebhook, seconds: number): ((secret: string) => void) | null {
    const end = this.nowMs + seconds * 1000;
    const left = webhook.secrets.map(({ secret, until }) => ({ secret, until: Math.min(until, end) }));
    const previous = left.filter(({ until }) => until > this.nowMs);
    if (previous.length > 2) return null;
    return (secret) => {
      webhook.secrets = [{ secret, until: Number.POSITIVE_INFINITY }, ...previous];
      webhook.everySecret.push(secret);
    };
  }

  disable(webhook: ModelWebhook, reason: 'manual' | 'failures' | 'gone'): void {
    if (webhook.status === 'enabled') Object.assign(webhook, { status: 'disabled', disabledAt: this.nowMs, reason });
  }

  enable(webhook: ModelWebhook): void {
    if (webhook.status === 'enabled') return;
    this.cancelHeld(webhook);
    this.#releaseHeld(webhook);
    Object.assign(webhook, { status: 'enabled', disabledAt: null, reason: null });
    webhook.generation += 1;
    Object.assign(webhook, { circuit: 'closed', failures: 0, pause: 0, nextProbeAt: null });
  }

  /** What has waited for 72 hours goes out no more, but for what somebody sent by hand. */
  cancelHeld(webhook: ModelWebhook): void {
    if (webhook.disabledAt === null || webhook.disabledAt > this.nowMs - HELD_MS) return;
    for (const delivery of this.of(webhook)) {
      if (delivery.queue === 0 || delivery.dueAt === null || this.isInHand(delivery)) continue;
      if (delivery.status === 'pending') delivery.status = 'cancelled';
      Object.assign(delivery, { nextAt: null, dueAt: null, resends: 0, claim: null });
    }
  }

  /** Whatever has waited goes out at once. */
  #releaseHeld(webhook: ModelWebhook): void {
    for (const delivery of this.of(webhook)) {
      const isWaiting = delivery.dueAt !== null && (delivery.dueAt as number) > this.nowMs && delivery.claim === null;
      if (delivery.queue === 0 || !isWaiting) continue;
      delivery.dueAt = this.nowMs;
      if (delivery.nextAt !== null) delivery.nextAt = this.nowMs;
    }
  }

  resend(delivery: ModelDelivery): void {
    delivery.resends += 1;
    delivery.queue = 0;
    if (delivery.claim === null) delivery.dueAt = this.nowMs;
  }

  /** Gives how many deliveries the replay is told to send. */
  replay(webhook: ModelWebhook, status: 'failed' | 'missing' | 'all', since: number): number {
    const isInRange = ({ event }: { event: ModelEvent }) =>
      event.at >= since && event.at < this.nowMs && !event.isTest && event.isFannedOut;
    const mine = this.of(webhook).filter(isInRange);
    const had = new Set(mine.map(({ event }) => event));
    const isMeant = (one: ModelDelivery) => status === 'all' || one.status === 'failed' || one.status === 'cancelled';
    const existing = status === 'missing' ? [] : mine.filter(isMeant);
    for (const delivery of existing) this.#repeat(delivery);
    if (status === 'failed') return existing.length;
    const missing = this.events.filter(
      (event) => isInRange({ event }) && !had.has(event) && event.except !== webhook.id,
    );
    for (const event of missing) this.plan(webhook, event, 2);
    return existing.length + missing.length;
  }

  #repeat(delivery: ModelDelivery): void {
    const isOnItsWay = delivery.claim !== null || delivery.resends > 0;
    if (isOnItsWay || (delivery.dueAt !== null && (delivery.dueAt as number) <= this.nowMs)) return;
    if (delivery.status === 'pending') Object.assign(delivery, { queue: 1, nextAt: this.nowMs });
    else Object.assign(delivery, { queue: 2, resends: 1 });
    delivery.dueAt = this.nowMs;
  }

  isInHand({ claim, dueAt }: ModelDelivery): boolean {
    return claim !== null && (dueAt as number) > this.nowMs;
  }

  /** Whether any process may take it: a lease that ends later than any could is one of a clock that was ahead. */
  isFree({ lane }: ModelWebhook): boolean {
    return lane === null || lane.until <= this.nowMs || lane.until > this.nowMs + 2 * LEASE_MS;
  }

  /** What a turn with the store gives: claims in the order of sending, or null when the lane may send nothing more. */
  turn(webhook: ModelWebhook, turn: ModelTurn): ModelClaim[] | null {
    if (webhook.isDeleted) return null;
    for (const { claim, outcome, at } of turn.finished) {
      const { delivery } = claim;
      if (delivery.claim !== claim) continue;
      if (outcome === 'our_fault') afterFault(delivery, claim, this);
      else afterAttempt(delivery, claim, outcome, this, at);
      this.#judge(webhook, claim, outcome);
    }
    for (const claim of turn.returned) this.#giveBack(claim);
    if (webhook.lane?.word !== turn.word && !this.isFree(webhook)) return null;
    const claims = this.sendable(webhook, turn.wanted, turn.heldInFlight).map((delivery) => this.#claim(delivery));
    const next = this.nextDue(webhook);
    const isIdle = claims.length === 0 && (next === null || next > this.nowMs);
    this.#holdLane(webhook, turn, turn.release === 'now' || (turn.release === 'when_idle' && isIdle));
    return claims;
  }

  /** What may go out now, in this order: by hand; then, as far as the circuit lets it, the schedule and then replays. */
  sendable(webhook: ModelWebhook, wanted: number, heldInFlight: number): ModelDelivery[] {
    const due = this.of(webhook)
      .filter(({ dueAt }) => dueAt !== null && (dueAt as number) <= this.nowMs)
      .sort((a, b) => a.queue - b.queue || (a.dueAt as number) - (b.dueAt as number) || (a.id < b.id ? -1 : 1));
    const mayProbe = heldInFlight === 0 && (webhook.nextProbeAt ?? 0) <= this.nowMs;
    const held = webhook.status === 'disabled' ? 0 : webhook.circuit === 'closed' ? wanted : mayProbe ? 1 : 0;
    const isByHand = ({ queue }: ModelDelivery) => queue === 0;
    return [...due.filter(isByHand), ...due.filter((one) => !isByHand(one)).slice(0, held)].slice(0, wanted);
  }

  /** When there is something to send next, null for never. */
  nextDue(webhook: ModelWebhook): number | null {
    const probeAt = webhook.circuit === 'open' ? (webhook.nextProbeAt ?? 0) : 0;
    const times = this.of(webhook)
      .filter(({ dueAt, queue }) => dueAt !== null && (queue === 0 || webhook.status === 'enabled'))
      .map(({ dueAt, queue }) => Math.max(earliest(dueAt as Moment), queue === 0 ? 0 : probeAt));
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Whether all its moments are known exactly. */
  isSettled(webhook: ModelWebhook): boolean {
    return this.of(webhook).every(({ dueAt }) => dueAt === null || typeof dueAt === 'number');
  }

  #claim(delivery: ModelDelivery): ModelClaim {
    const isHeld = delivery.queue !== 0;
    const isProbe = isHeld && delivery.webhook.circuit === 'open';
    const { generation } = delivery.webhook;
    delivery.claim = { delivery, manual: delivery.resends > 0, isProbe, isHeld, generation };
    delivery.dueAt = this.nowMs + LEASE_MS;
    return delivery.claim;
  }

  #giveBack(claim: ModelClaim): void {
    const { delivery } = claim;
    if (delivery.claim !== claim) return;
    delivery.claim = null;
    delivery.dueAt = delivery.resends > 0 ? this.nowMs : delivery.nextAt;
    if (delivery.resends === 0) delivery.queue = delivery.event.isTest ? 0 : 1;
  }

  #holdLane(webhook: ModelWebhook, { word }: ModelTurn, isOver: boolean): void {
    const { lane } = webhook;
    if (isOver) webhook.lane = null;
    else if (lane?.word !== word || this.isFree(webhook) || lane.until <= this.nowMs + LEASE_MS / 2)
      webhook.lane = { word, until: this.nowMs + LEASE_MS };
  }

  #judge(webhook: ModelWebhook, claim: ModelClaim, outcome: Outcome): void {
    if (webhook.status === 'disabled' || claim.generation !== webhook.generation) return;
    if (outcome === 'ok') {
      Object.assign(webhook, { circuit: 'closed', failures: 0, pause: 0, nextProbeAt: null });
      return;
    }
    if (claim.isProbe && webhook.circuit === 'open') {
      if (outcome !== 'our_fault') webhook.pause = Math.min(webhook.pause * 2, 1800);
      webhook.nextProbeAt = this.nowMs + webhook.pause * 1000;
    }
    if (outcome === 'our_fault' || claim.manual || claim.delivery.event.isTest) return;
    webhook.failures += 1;
    const { circuitAfter, disableAfter } = this.settings;
    if (circuitAfter > 0 && webhook.circuit === 'closed' && webhook.failures >= circuitAfter)
      Object.assign(webhook, { circuit: 'open', pause: 15, nextProbeAt: this.nowMs + 15_000 });
    if (outcome === 'gone' || (disableAfter > 0 && webhook.failures >= disableAfter)) {
      this.disable(webhook, outcome === 'gone' ? 'gone' : 'failures');
      webhook.switchedOff += 1;
    }
  }
}
