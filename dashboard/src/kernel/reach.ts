import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let isReachable = true;
let ping: () => Promise<unknown> = async () => {};
let onReturn: () => void = () => {};
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Between two attempts to reach the service again. Short at first, for a restart; the last one repeats. */
const RETRY_MS = [1_000, 2_000, 4_000, 8_000];

/** Notes whether the last request reached the service. While none does, it is tried again until one does. */
export function setReach(isReached: boolean): void {
  if (isReached === isReachable) return;
  isReachable = isReached;
  for (const listener of listeners) listener();
  clearTimeout(waiting);
  if (isReached) onReturn();
  else tryAgain(0);
}

/**
 * Registers what is asked while the service does not answer, and what happens once it does again.
 *
 * @param options.ask a request that calls `setReach`
 */
export function watchReach(options: { ask: () => Promise<unknown>; onReturn: () => void }): void {
  ping = options.ask;
  onReturn = options.onReturn;
  addEventListener('online', () => {
    if (!isReachable) tryAgain(0, 0);
  });
  addEventListener('offline', () => setReach(false));
}

/** Whether the service answers, as far as the last request could tell. */
export function useServiceReach(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isReachable,
  );
}

function tryAgain(attempt: number, afterMs = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]): void {
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    await ping().catch(() => {});
    if (!isReachable) tryAgain(attempt + 1);
  }, afterMs);
}
