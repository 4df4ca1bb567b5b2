import { AsyncLocalStorage } from 'node:async_hooks';

const dryRuns = new AsyncLocalStorage<true>();

/** What stops a dry run whose checks have all passed. */
class ChecksPassed extends Error {}

/**
 * Runs `work` up to where it would begin to act, and returns what it is refused with; null when every check passes. Nothing
 * is written: transactions end a dry run before they begin.
 */
export async function errorOfDryRun(work: () => unknown): Promise<unknown> {
  try {
    await dryRuns.run(true, async () => work());
  } catch (error) {
    if (!(error instanceof ChecksPassed)) return error;
  }
  return null;
}

/**
 * From here on the caller acts: it writes, asks the network or hashes a password. Ends a dry run; does nothing otherwise.
 * Transactions call it, so a service needs it only where something else costs or changes anything before its transaction.
 */
export function endOfChecks(): void {
  if (dryRuns.getStore()) throw new ChecksPassed('The checks have passed.');
}
