import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { yieldToBusyLoop } from '../src/kernel/yield.ts';

/** Does a part of its work, `batch` rows at most, and gives whether there may be more. */
export type Purge = (batch: number) => Promise<boolean>;

/** Rows of one transaction: on SQLite every other write waits for it. */
const MOST = 500;
const FEWEST = 50;
/** So long should it take, whatever the rows, the disk and the rest of the machine are like. */
const AIM_MS = 25;

/**
 * Runs a purge until nothing is left, or until `signal` says that the process stops: in batches that are written quickly,
 * with as long a rest after each. There is no hurry, and whatever else the process has to do goes first.
 */
export async function atLeisure(purge: Purge, signal: AbortSignal): Promise<void> {
  const giveWay = yieldToBusyLoop(() => false);
  let batch = MOST;
  while (!signal.aborted) {
    const startedAt = performance.now();
    const hasMore = await purge(batch);
    if (!hasMore) return;
    const spentMs = performance.now() - startedAt;
    batch = nextBatch(batch, spentMs);
    await delay(Math.min(spentMs, AIM_MS * 4));
    await giveWay();
  }
}

/** As many rows as could have been written in the time that is aimed at; it grows slowly, after a single quick one. */
export function nextBatch(batch: number, spentMs: number): number {
  const fitting = Math.floor((batch * AIM_MS) / Math.max(spentMs, 1));
  return Math.min(MOST, Math.max(FEWEST, Math.min(fitting, batch + FEWEST)));
}
