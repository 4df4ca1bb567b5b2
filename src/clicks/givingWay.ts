import { performance } from 'node:perf_hooks';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

/** From this share of its time on, the event loop has redirects enough to fill it. */
const BUSY = 0.7;
/** A busy process spends this many times as long on redirects as on the chunk before. */
const REST = 4;
const LONGEST_REST_MS = 500;

/**
 * Called between two chunks of the drain or the purge: redirects go first while the process is busy, and what waits is
 * safe. When too much waits (`isPressing`), the drain takes its full share whatever else there is to do. Unlike
 * `besideRedirects` it goes by how full the event loop is: the store does much of this work, and leaves room there.
 */
export function givingWay(isPressing: () => boolean): () => Promise<void> {
  let beganAt = performance.now();
  let before = performance.eventLoopUtilization();
  return async () => {
    const { utilization } = performance.eventLoopUtilization(before);
    const restMs = Math.min((performance.now() - beganAt) * REST, LONGEST_REST_MS);
    if (utilization > BUSY && !isPressing()) await delay(restMs);
    else await nextTurn();
    beganAt = performance.now();
    before = performance.eventLoopUtilization();
  };
}
