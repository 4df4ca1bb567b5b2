import { performance } from 'node:perf_hooks';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { redirectCounts } from './metrics.ts';

// Each function here makes one that is awaited between the pieces of long work. They differ in what may go first.

/** Longest time that a computation may keep the event loop from other work. */
const SLICE_MS = 2;
/** Share of its time from which on an event loop has no room left for background work. */
const BUSY_UTILIZATION = 0.7;
/** Redirects a second from which on a process has little time for anything else. */
const BUSY_PER_SECOND = 2000;
/** Shortest time over which redirects are counted. */
const COUNTED_MS = 50;
/** A busy process rests this many times as long as it worked on the last piece. */
const REST = 4;
const LONGEST_REST_MS = 500;

/**
 * Lets the event loop turn once a slice of time is over, and never rests: for work that somebody waits for, or that holds a
 * transaction open.
 */
export function yieldToEventLoop(): () => Promise<void> {
  let startedAt = performance.now();
  return async () => {
    if (performance.now() - startedAt < SLICE_MS) return;
    await nextTurn();
    startedAt = performance.now();
  };
}

/** `map` over a list, with the same slices of time. */
export async function mapYielding<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  let startedAt = performance.now();
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    results.push(map(item, index));
    // Without `yieldToEventLoop`: an await costs as much as many an item.
    if (performance.now() - startedAt < SLICE_MS) continue;
    await nextTurn();
    startedAt = performance.now();
  }
  return results;
}

/**
 * Rests while the event loop is busy, unless `isUrgent`: for the drain and the purges, whose work is safe to wait. Much of it
 * is done by the store, so a full event loop means that redirects or other requests fill it.
 */
export function yieldToBusyLoop(isUrgent: () => boolean): () => Promise<void> {
  let startedAt = performance.now();
  let before = performance.eventLoopUtilization();
  return async () => {
    const { utilization } = performance.eventLoopUtilization(before);
    const restMs = Math.min((performance.now() - startedAt) * REST, LONGEST_REST_MS);
    if (utilization > BUSY_UTILIZATION && !isUrgent()) await delay(restMs);
    else await nextTurn();
    startedAt = performance.now();
    before = performance.eventLoopUtilization();
  };
}

/**
 * Rests while there are many redirects: for computations in the background, such as building blocks. They fill the event
 * loop by themselves, so its utilization would not tell their work from redirects.
 */
export function yieldToRedirects(): () => Promise<void> {
  let startedAt = performance.now();
  let before = redirectCounts.followed;
  return async () => {
    const workedMs = performance.now() - startedAt;
    if (workedMs < COUNTED_MS) return nextTurn();
    const perSecond = ((redirectCounts.followed - before) / workedMs) * 1000;
    if (perSecond > BUSY_PER_SECOND) await delay(workedMs * REST);
    startedAt = performance.now();
    before = redirectCounts.followed;
  };
}
