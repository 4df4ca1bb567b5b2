import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { redirectCounts } from '../kernel/metrics.ts';

/** From so many redirects a second on, a process has little time for anything else. */
const BUSY_PER_SECOND = 2000;
/** How often that is looked at. */
const LOOK_MS = 50;
/** A busy process spends this many times as long on redirects as on what nobody waits for. */
const REST = 4;

/**
 * Called between pieces of work that nobody waits for: redirects go first. Unlike `givingWay` it counts redirects:
 * building blocks fills the event loop by itself, and would take its own work for theirs.
 */
export function besideRedirects(): () => Promise<void> {
  let lookedAt = performance.now();
  let before = redirectCounts.followed;
  return async () => {
    const workedMs = performance.now() - lookedAt;
    if (workedMs < LOOK_MS) return nextTurn();
    const perSecond = ((redirectCounts.followed - before) / workedMs) * 1000;
    if (perSecond > BUSY_PER_SECOND) await delay(workedMs * REST);
    lookedAt = performance.now();
    before = redirectCounts.followed;
  };
}
