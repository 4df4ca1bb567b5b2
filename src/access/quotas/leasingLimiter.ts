import { LRUCache } from 'lru-cache';
import type { Limiter, Taken } from './limiter.ts';

/** Takes points of a subject from the counter that all processes share. */
export type TakeShared = (subject: string, points: number) => Promise<Taken>;

/** A block that this process may hand out without asking again. */
interface Lease {
  /** Taken by all processes, without what is left of this block. */
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
/** The limiter must never hold up what it guards for long. */
const PATIENCE_MS = 1000;

/** Hands out points of blocks that were taken from a shared counter: one write for many requests. */
export function leasingLimiter(limit: number, takeShared: TakeShared): Limiter {
  const block = Math.max(1, Math.floor(limit * BLOCK_SHARE));
  const leases = new LRUCache<string, Lease>({ max: MAX_SUBJECTS });
  const asking = new Map<string, Promise<Lease>>();

  const lease = async (subject: string): Promise<Lease> => {
    const { taken, msToReset } = await inTime(takeShared(subject, block));
    const before = taken - block;
    const left = Math.max(0, Math.min(block, limit - before));
    const fresh = { taken: before, left, endsAt: performance.now() + msToReset };
    leases.set(subject, fresh);
    return fresh;
  };
  const leaseOnce = (subject: string): Promise<Lease> => {
    const running = asking.get(subject) ?? lease(subject).finally(() => asking.delete(subject));
    asking.set(subject, running);
    return running;
  };
  const handOut = (known: Lease): Taken => {
    if (known.left > 0) {
      known.left -= 1;
      known.taken += 1;
      return { taken: known.taken, msToReset: known.endsAt - performance.now() };
    }
    return { taken: limit + 1, msToReset: known.endsAt - performance.now() };
  };

  return {
    async take(subject) {
      for (;;) {
        const known = leases.get(subject);
        const isLive = known !== undefined && performance.now() < known.endsAt;
        if (isLive && (known.left > 0 || known.taken >= limit)) return handOut(known);
        const fresh = await leaseOnce(subject);
        if (fresh.left > 0 || fresh.taken >= limit) return handOut(fresh);
      }
    },
    close() {
      leases.clear();
    },
  };
}

async function inTime<Result>(asked: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
