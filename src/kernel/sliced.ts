import { setImmediate as nextTurn } from 'node:timers/promises';

/** So long a computation may keep the process from answering others. */
const SLICE_MS = 2;

/**
 * Called between the pieces of a long computation: lets the process do something else when a slice of time is over.
 * Unlike `givingWay` and `besideRedirects` it never rests: somebody waits for the result, or a transaction is open.
 */
export function sliced(): () => Promise<void> {
  let beganAt = performance.now();
  return async () => {
    if (performance.now() - beganAt < SLICE_MS) return;
    await nextTurn();
    beganAt = performance.now();
  };
}
