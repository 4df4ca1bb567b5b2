import { setTimeout as sleep } from 'node:timers/promises';
import { Counter } from 'prom-client';
import { registry } from '../kernel/metrics.ts';
import { isConflict } from './storeFailures.ts';

/** How often a transaction is tried before its error is thrown. */
export const MAX_TRIES = 8;

/** The longest wait before the second try, in milliseconds. It doubles with each try: all waits together are 2.5 s at most. */
const FIRST_WAIT_MS = 20;

const retries = new Counter({
  name: 'svc_transaction_retries_total',
  help: 'Transactions that ran again after a serialization failure or a deadlock.',
  registers: [registry],
});

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
