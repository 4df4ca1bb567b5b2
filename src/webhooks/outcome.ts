import type { AttemptResult } from './attempt.ts';
import { QUEUE, type Queue } from './queue.ts';
import { jittered, nextGapSeconds } from './schedule.ts';

export interface DeliveryState {
  status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
  /** All finished attempts, manual ones too: the number of the last. */
  attemptCount: number;
  /** Those of them that were asked for by hand; they do not use up the schedule. */
  manualAttempts: number;
  /** Manual attempts that were asked for and are still to be made. */
  resends: number;
  /** Of the schedule; null when nothing is left of it. */
  nextAttemptAt: Date | null;
  isTest: boolean;
  queue: Queue;
}

/** The state, and when something is to be sent next: null for never. */
export type SettledState = DeliveryState & { dueAt: Date | null };

/** Something on our side kept the request from being made or judged: it uses up no attempt. */
export interface OurFault {
  kind: 'our_fault';
}

export interface FinishedAttempt {
  /** Asked for by hand: its failure schedules nothing. */
  manual: boolean;
  result: AttemptResult | OurFault;
}

export interface OutcomeOptions {
  /** Seconds between automatic attempts. */
  gaps: readonly number[];
  nowMs: number;
  random: () => number;
}

/** Used where there are no gaps to take the first of. */
const OUR_FAULT_PAUSE_SECONDS = 15;

/**
 * The state of a delivery after an attempt. `delivery` is what is stored when the attempt ends, not when it began: one
 * that was cancelled meanwhile is not taken up again by a late failure.
 */
export function outcome(
  delivery: DeliveryState,
  { manual, result }: FinishedAttempt,
  options: OutcomeOptions,
): SettledState {
  if (isOurFault(result)) return afterOurFault(delivery, manual, options);
  const made: DeliveryState = {
    ...delivery,
    attemptCount: delivery.attemptCount + 1,
    manualAttempts: delivery.manualAttempts + (manual ? 1 : 0),
    resends: Math.max(0, delivery.resends - (manual ? 1 : 0)),
  };
  if (result.error === null) return due({ ...made, status: 'succeeded', nextAttemptAt: null }, options);
  if (manual || delivery.status !== 'pending') return due(made, options);
  const gap = nextGapSeconds(made.attemptCount - made.manualAttempts, options.gaps, {
    retryAfterSeconds: result.retryAfterSeconds,
    random: options.random,
  });
  if (gap === null) return due({ ...made, status: 'failed', nextAttemptAt: null }, options);
  return due({ ...made, nextAttemptAt: after(gap, options) }, options);
}

export function isOurFault(result: AttemptResult | OurFault): result is OurFault {
  return 'kind' in result;
}

/** When and from which queue the delivery goes out next. A resend that is asked for comes before the schedule. */
export function due(delivery: DeliveryState, { nowMs }: { nowMs: number }): SettledState {
  const { status, resends, queue, isTest, nextAttemptAt } = delivery;
  if (resends > 0) return { ...delivery, dueAt: new Date(nowMs) };
  const scheduled = isTest ? QUEUE.byHand : QUEUE.automatic;
  if (status === 'pending') return { ...delivery, queue: scheduled, dueAt: nextAttemptAt };
  return { ...delivery, queue, dueAt: null };
}

function afterOurFault(delivery: DeliveryState, manual: boolean, options: OutcomeOptions): SettledState {
  const again = after(jittered(options.gaps[0] ?? OUR_FAULT_PAUSE_SECONDS, options.random), options);
  if (manual) return { ...delivery, dueAt: again };
  return due(delivery.status === 'pending' ? { ...delivery, nextAttemptAt: again } : delivery, options);
}

function after(seconds: number, { nowMs }: OutcomeOptions): Date {
  return new Date(nowMs + Math.round(seconds * 1000));
}
