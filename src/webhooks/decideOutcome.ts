import { QUEUE, type Queue } from '../models/queue.ts';
import type { RequestProblem } from '../net/connect.ts';

/** Why an attempt failed, as the API shows it; `status` stands for any answer but 2xx. */
export type AttemptError = RequestProblem | 'status';

/** The result of one request. It succeeded if `error` is null; a 2xx whose body was cut off is a failure. */
export interface AttemptResult {
  /** Null without an answer. */
  statusCode: number | null;
  /** Names in lower case; at most 50, values cut at 1 KiB. */
  responseHeaders: Record<string, string> | null;
  /** The first 4 KiB as text. */
  responseBody: string | null;
  error: AttemptError | null;
  /** Whole milliseconds from the call to the last byte. */
  durationMs: number;
  retryAfterSeconds: number | null;
}

/** A request for a delivery, with its result. */
export interface MadeAttempt extends AttemptResult {
  url: string;
  /** The value of `SVC-Signature`. */
  signature: string;
}

export interface DeliveryState {
  status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
  /** All finished attempts, including manual ones; equals the number of the last attempt. */
  attemptCount: number;
  /** The manual ones among them, which do not use up the schedule. */
  manualAttempts: number;
  /** Requested manual attempts that have not been made yet. */
  resends: number;
  /** The next scheduled attempt; null when there is none. */
  nextAttemptAt: Date | null;
  isTest: boolean;
  queue: Queue;
}

/** A state with the time of the next attempt, scheduled or manual; null for never. */
export type ScheduledState = DeliveryState & { dueAt: Date | null };

/** A fault on our side, so that no request was made or its result means nothing. It does not use up an attempt. */
export interface OurFault {
  kind: 'our_fault';
}

export interface FinishedAttempt {
  /** Requested by hand: a failure schedules no further attempt. */
  manual: boolean;
  result: AttemptResult | OurFault;
}

interface OutcomeOptions {
  /** Seconds between scheduled attempts. */
  gaps: readonly number[];
  nowMs: number;
  random: () => number;
}

/** The pause after a fault of ours when the schedule has no gaps. */
const OUR_FAULT_PAUSE_SECONDS = 15;

/**
 * The state of a delivery after an attempt. `delivery` is the state as stored when the attempt ends: if it was cancelled in
 * the meantime, a late failure does not schedule it again.
 */
export function decideOutcome(
  delivery: DeliveryState,
  { manual, result }: FinishedAttempt,
  options: OutcomeOptions,
): ScheduledState {
  if (isOurFault(result)) return afterOurFault(delivery, manual, options);
  const made: DeliveryState = {
    ...delivery,
    attemptCount: delivery.attemptCount + 1,
    manualAttempts: delivery.manualAttempts + (manual ? 1 : 0),
    resends: Math.max(0, delivery.resends - (manual ? 1 : 0)),
  };
  if (result.error === null) return withDueTime({ ...made, status: 'succeeded', nextAttemptAt: null }, options);
  if (manual || delivery.status !== 'pending') return withDueTime(made, options);
  const gap = nextGapSeconds(made.attemptCount - made.manualAttempts, options.gaps, {
    retryAfterSeconds: result.retryAfterSeconds,
    random: options.random,
  });
  if (gap === null) return withDueTime({ ...made, status: 'failed', nextAttemptAt: null }, options);
  return withDueTime({ ...made, nextAttemptAt: after(gap, options) }, options);
}

export function isOurFault(result: AttemptResult | OurFault): result is OurFault {
  return 'kind' in result;
}

/** Adds the time and the queue of the next attempt. A requested resend comes before the schedule. */
export function withDueTime(delivery: DeliveryState, { nowMs }: { nowMs: number }): ScheduledState {
  const { status, resends, queue, isTest, nextAttemptAt } = delivery;
  if (resends > 0) return { ...delivery, dueAt: new Date(nowMs) };
  const scheduled = isTest ? QUEUE.byHand : QUEUE.automatic;
  if (status === 'pending') return { ...delivery, queue: scheduled, dueAt: nextAttemptAt };
  return { ...delivery, queue, dueAt: null };
}

function afterOurFault(delivery: DeliveryState, manual: boolean, options: OutcomeOptions): ScheduledState {
  const again = after(jittered(options.gaps[0] ?? OUR_FAULT_PAUSE_SECONDS, options.random), options);
  if (manual) return { ...delivery, dueAt: again };
  return withDueTime(delivery.status === 'pending' ? { ...delivery, nextAttemptAt: again } : delivery, options);
}

function after(seconds: number, { nowMs }: OutcomeOptions): Date {
  return new Date(nowMs + Math.round(seconds * 1000));
}

/** Gaps vary by up to a tenth, so that deliveries that failed at once are not retried at once. */
const JITTER = 0.1;

/** 2 h: a receiver may ask for a longer pause, but not postpone a delivery for days. */
const MAX_RETRY_AFTER_SECONDS = 7200;

interface GapOptions {
  /** The pause that the receiver asked for; it can only lengthen the gap. */
  retryAfterSeconds: number | null;
  /** From 0 to below 1, as `Math.random`. */
  random: () => number;
}

/**
 * Seconds until the next attempt after `automaticAttemptsMade` failed ones; null when the schedule is used up. A delivery
 * has one attempt more than there are gaps. The length of the gaps is not limited here.
 */
export function nextGapSeconds(
  automaticAttemptsMade: number,
  gaps: readonly number[],
  { retryAfterSeconds, random }: GapOptions,
): number | null {
  const gap = gaps[automaticAttemptsMade - 1];
  if (gap === undefined) return null;
  const asked = Math.min(retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS);
  return Math.max(jittered(gap, random), asked);
}

function jittered(gapSeconds: number, random: () => number): number {
  return gapSeconds * (1 - JITTER + 2 * JITTER * random());
}

/**
 * The pause in seconds that a `Retry-After` header asks for, as a number or as an HTTP date (0 for a past one). Null for
 * other statuses than 429 and 503, and for an invalid header.
 */
export function retryAfterSeconds(
  headerValue: string | null | undefined,
  statusCode: number,
  nowMs: number,
): number | null {
  if (!headerValue || (statusCode !== 429 && statusCode !== 503)) return null;
  const value = headerValue.trim();
  if (/^\d{1,9}$/.test(value)) return Number(value);
  if (!/^[A-Z][a-z]{2,8},? /.test(value)) return null;
  // The oldest of the three HTTP date formats has no time zone and means GMT; Date.parse would take the local one.
  const at = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1000));
}
