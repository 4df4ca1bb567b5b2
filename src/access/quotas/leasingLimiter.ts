import { LRUCache } from 'lru-cache';
import type { Limiter } from './limiter.ts';

/** Takes points of a subject from the counter that all processes share. Gives what all have taken in the window, these included. */
export type TakeShared = (subject: string, points: number) => Promise<{ taken: number; msToReset: number }>;

/** Points that this process may hand out without asking again. */
interface Lease {
  /** Taken by all processes, without what is left here; at most the limit. */
  taken: number;
  left: number;
  /** Milliseconds of the monotonic clock. */
  endsAt: number;
}

/**
 * Share of a quota that one process takes at a time: what four processes have left unused when a window ends stays
 * below the 5 % of slack that the contract allows. Never more than the quota is let through.
 */
const BLOCK_SHARE = 0.01;
/** Subjects that are remembered; one that is forgotten costs its block. */
const MAX_SUBJECTS = 50_000;

/** Hands out points of blocks that were taken from a shared counter: one write for many requests. */
export function leasingLimiter(limit: number, takeShared: TakeShared): Limiter {
  const block = Math.max(1, Math.floor(limit * BLOCK_SHARE));
  const leases = new LRUCache<string, Lease>({ max: MAX_SUBJECTS });
  const asking = new Map<string, Promise<void>>();

  const liveLease = (subject: string): Lease | null => {
    const known = leases.get(subject);
    return known !== undefined && performance.now() < known.endsAt ? known : null;
  };
  const lease = async (subject: string, points: number): Promise<void> => {
    const { taken, msToReset } = await takeShared(subject, points);
    const before = Math.min(limit, taken - points);
    const granted = Math.min(points, limit - before);
    // What was left of an earlier lease was counted when that was taken.
    const left = granted + (liveLease(subject)?.left ?? 0);
    leases.set(subject, { taken: before + granted - left, left, endsAt: performance.now() + msToReset });
  };
  const leaseOnce = (subject: string, points: number): Promise<void> => {
    const running = asking.get(subject) ?? lease(subject, points).finally(() => asking.delete(subject));
    asking.set(subject, running);
    return running;
  };

  return {
    async take(subject, points) {
      for (;;) {
        const known = liveLease(subject);
        const isRefused = known !== null && known.left < points && known.taken + known.left >= limit;
        if (known && (isRefused || known.left >= points)) {
          if (!isRefused) {
            known.left -= points;
            known.taken += points;
          }
          return { taken: known.taken, msToReset: known.endsAt - performance.now(), isRefused };
        }
        await leaseOnce(subject, Math.max(block, points - (known?.left ?? 0)));
      }
    },
    close() {
      leases.clear();
    },
  };
}
