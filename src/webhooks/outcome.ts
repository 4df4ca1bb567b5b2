import type { AttemptResult } from './attempt.ts';
import { jittered, nextGapSeconds } from './schedule.ts';

export interface DeliveryState {
  status: 'pending' | 'succeeded' | 'failed' | 'cancelled';
  /** All finished attempts, manual ones too: the number of the last. */
  attemptCount: number;
  nextAttemptAt: Date | null;
}

/** Something on our side kept the request from being made or judged: it uses up no attempt. */
export interface OurFault {
  kind: 'our_fault';
}

export interface Attempt {
  /** Asked for by hand: its failure schedules nothing. */
  manual: boolean;
  /** Manual attempts of the delivery that finished before: they do not use up the schedule. */
  manualAttemptsMade: number;
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
 * that was settled meanwhile (cancelled, or resent by hand with success) is not taken up again by a late failure.
 */
export function outcome(delivery: DeliveryState, attempt: Attempt, options: OutcomeOptions): DeliveryState {
  const { manual, manualAttemptsMade, result } = attempt;
  const { status, attemptCount, nextAttemptAt } = delivery;
  const isScheduled = !manual && status === 'pending';
  if ('kind' in result) {
    return { status, attemptCount, nextAttemptAt: isScheduled ? afterOurFault(options) : nextAttemptAt };
  }
  const made = attemptCount + 1;
  if (result.error === null) return { status: 'succeeded', attemptCount: made, nextAttemptAt: null };
  if (!isScheduled) return { status, attemptCount: made, nextAttemptAt };
  const gap = nextGapSeconds(made - manualAttemptsMade, options.gaps, {
    retryAfterSeconds: result.retryAfterSeconds,
    random: options.random,
  });
  if (gap === null) return { status: 'failed', attemptCount: made, nextAttemptAt: null };
  return { status, attemptCount: made, nextAttemptAt: after(gap, options) };
}

function afterOurFault(options: OutcomeOptions): Date {
  return after(jittered(options.gaps[0] ?? OUR_FAULT_PAUSE_SECONDS, options.random), options);
}

function after(seconds: number, { nowMs }: OutcomeOptions): Date {
  return new Date(nowMs + Math.round(seconds * 1000));
}
