import { setTimeout as sleep } from 'node:timers/promises';
import { Counter } from 'prom-client';
import { registry } from '../kernel/metrics.ts';

/**
 * SQLSTATEs of a transaction that the store ended because of another one, and that may succeed when it is run again:
 * serialization_failure and deadlock_detected. PostgreSQL reports the first one only above READ COMMITTED; distributed
 * stores do so at every level.
 */
const CONFLICTS: ReadonlySet<unknown> = new Set(['40001', '40P01']);

/** How often a transaction is tried before its error is thrown. */
export const MAX_TRIES = 8;

/** The longest wait before the second try, in milliseconds. It doubles with each try: all waits together are 2.5 s at most. */
const FIRST_WAIT_MS = 20;

const retries = new Counter({
  name: 'svc_transaction_retries_total',
  help: 'Transactions that ran again after a serialization failure or a deadlock.',
  registers: [registry],
});

/** Errors without a SQLSTATE of their own that ended a transaction in which a conflict had occurred. */
const causedByConflict = new WeakSet<object>();

/** Whether this is the SQLSTATE of a conflict. */
export function isConflictCode(code: unknown): boolean {
  return CONFLICTS.has(code);
}

/** Whether an error means that the store rolled a transaction back because of another one: it may run again. */
export function isConflict(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, original } = error as { code?: unknown; original?: { code?: unknown } };
  return isConflictCode(original?.code) || isConflictCode(code) || causedByConflict.has(error);
}

/** Has `isConflict` hold for an error that was thrown instead of that of the conflict. */
export function markAsConflict(error: unknown): void {
  if (typeof error === 'object' && error !== null) causedByConflict.add(error);
}

/**
 * Runs `attempt`, and again after a short random wait when it fails with a conflict while `mayRepeat` returns true. Throws
 * its last error. What an attempt did must be undone when it fails.
 */
export async function repeatOnConflict<Result>(
  attempt: (number: number) => Promise<Result>,
  mayRepeat: () => boolean = () => true,
): Promise<Result> {
  for (let number = 1; ; number += 1) {
    try {
      return await attempt(number);
    } catch (error) {
      if (!isConflict(error) || number === MAX_TRIES || !mayRepeat()) throw error;
    }
    retries.inc();
    await sleep(Math.random() * FIRST_WAIT_MS * 2 ** (number - 1));
  }
}
