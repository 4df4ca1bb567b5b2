import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { yieldToBusyLoop } from '../src/kernel/yield.ts';

/** Deletes up to `batch` rows, and returns whether there may be more. */
export type Purge = (batch: number) => Promise<boolean>;

/** Rows of one transaction. On SQLite all other writes wait for it. */
const MAX_ROWS = 500;
const MIN_ROWS = 50;
/** How long a transaction should take, on a machine and disk of any speed. */
const TARGET_MS = 25;

/**
 * Runs a purge in short transactions until nothing is left or `signal` aborts. It pauses after each for as long as it took:
 * there is no hurry, and all other work of the process goes first.
 */
export async function purgeInBatches(purge: Purge, signal: AbortSignal): Promise<void> {
  const yieldIfBusy = yieldToBusyLoop(() => false);
  let batch = MAX_ROWS;
  while (!signal.aborted) {
    const startedAt = performance.now();
    const hasMore = await purge(batch);
    if (!hasMore) return;
    const spentMs = performance.now() - startedAt;
    batch = nextBatch(batch, spentMs);
    await delay(Math.min(spentMs, TARGET_MS * 4));
    await yieldIfBusy();
  }
}

/** The number of rows that would have taken TARGET_MS. It shrinks at once and grows slowly. */
export function nextBatch(batch: number, spentMs: number): number {
  const fitting = Math.floor((batch * TARGET_MS) / Math.max(spentMs, 1));
  return Math.min(MAX_ROWS, Math.max(MIN_ROWS, Math.min(fitting, batch + MIN_ROWS)));
}
