import { purgeAnswers } from '../src/access/idempotency/records.ts';
import { inTransaction } from '../src/db/inTransaction.ts';
import { cancelHeld, webhooksHeldForTooLong } from '../src/webhooks/cancelHeld.ts';
import { purgeSome } from '../src/webhooks/purge.ts';

/** Stored answers deleted at once. */
const BATCH = 500;

/**
 * Deletes what is kept no longer, and cancels what has waited for too long, in small batches until nothing is left; ends
 * soon after `signal` says that the process stops.
 */
export async function purgeOld(signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await purgeAnswers(BATCH)) === BATCH);
  const held = await webhooksHeldForTooLong();
  while (!signal.aborted && held.length > 0) {
    if ((await inTransaction((transaction) => cancelHeld(held, transaction))) === 0) break;
  }
  while (!signal.aborted && (await purgeSome()));
}
