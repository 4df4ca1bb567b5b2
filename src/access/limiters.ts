import { LRUCache } from 'lru-cache';
import { isStoreShared } from '../db/connection/database.ts';
import { clock, DAY_MS, dayOf } from '../kernel/clock.ts';
import { addPoints, LocalCounter, sharedCounter } from './counters.ts';

/**
 * The share of a quota that one process takes at a time: what four processes have left unused when a window ends stays
 * below the 5 % of slack that the contract allows. The quota is never exceeded.
 */
const BLOCK_SHARE = 0.01;
/** Subjects that a process remembers; forgetting one costs its unused block. */
const MAX_SUBJECTS = 50_000;

/** The state of a window after an attempt to consume points. */
export interface Consumption {
  /** Points of the window that are used up, these included unless they were refused. */
  consumed: number;
  /** Milliseconds until the window ends. */
  msToReset: number;
  /** Too few points were left, and none was consumed. */
  isRefused: boolean;
}

export interface Limiter {
  consume(subject: string, points: number): Promise<Consumption>;
  close(): void;
}

/** A limiter that counts in memory where there is one process, and in PostgreSQL where several share a quota. */
export function createLimiter(name: string, limit: number, windowSeconds: number): Limiter {
  const options = { keyPrefix: name, points: limit, duration: windowSeconds };
  if (!isStoreShared()) return inMemory(new LocalCounter(options));
  const shared = sharedCounter(options);
  return leasingLimiter(limit, async (subject, points) => {
    const { consumedPoints, msBeforeNext } = await shared.penalty(subject, points);
    return { consumed: consumedPoints, msToReset: msBeforeNext };
  });
}

function inMemory(limiter: LocalCounter): Limiter {
  return {
    async consume(subject, points) {
      // Not `consume`, which throws when the quota is used up, and counts what it refuses.
      const { consumedPoints, msBeforeNext } = await limiter.penalty(subject, points);
      const isRefused = consumedPoints > limiter.points;
      if (isRefused) await limiter.reward(subject, points);
      return { consumed: consumedPoints - (isRefused ? points : 0), msToReset: msBeforeNext, isRefused };
    },
    close() {},
  };
}

/**
 * A limiter that counts by UTC day, in the store whatever its kind, so that a restart does not begin the day again. What
 * is left of a process's block when the process stops is lost for that day.
 */
export function createDayLimiter(name: string, limit: number): Limiter {
  const limiter = leasingLimiter(limit, async (subject, points) => {
    const endsAtMs = (dayOf(clock.now()) + 1) * DAY_MS;
    const consumed = await addPoints(`${name}:${subject}`, points, endsAtMs);
    return { consumed, msToReset: endsAtMs - clock.now() };
  });
  return {
    consume: (subject, points) => limiter.consume(`${subject} ${dayOf(clock.now())}`, points),
    close: limiter.close,
  };
}

/**
 * Consumes points of a subject in the counter that all processes share. `consumed`: what all processes have consumed in the
 * window, these points included.
 */
type ConsumeShared = (subject: string, points: number) => Promise<{ consumed: number; msToReset: number }>;

/** Points that this process may grant without asking the shared counter again. */
interface Lease {
  /** What all processes have consumed, without what is left here; at most the limit. */
  consumed: number;
  left: number;
  /** Milliseconds of the monotonic clock. */
  endsAt: number;
}

/** A limiter that takes blocks of points from a shared counter and grants from them: one write for many requests. */
export function leasingLimiter(limit: number, consumeShared: ConsumeShared): Limiter {
  const block = Math.max(1, Math.floor(limit * BLOCK_SHARE));
  const leases = new LRUCache<string, Lease>({ max: MAX_SUBJECTS });
  const pending = new Map<string, Promise<void>>();

  const liveLease = (subject: string): Lease | null => {
    const found = leases.get(subject);
    return found !== undefined && performance.now() < found.endsAt ? found : null;
  };
  const lease = async (subject: string, points: number): Promise<void> => {
    const { consumed, msToReset } = await consumeShared(subject, points);
    const before = Math.min(limit, consumed - points);
    const granted = Math.min(points, limit - before);
    // What is left of an earlier lease was counted when that lease was taken.
    const left = granted + (liveLease(subject)?.left ?? 0);
    leases.set(subject, { consumed: before + granted - left, left, endsAt: performance.now() + msToReset });
  };
  const leaseOnce = (subject: string, points: number): Promise<void> => {
    const running = pending.get(subject) ?? lease(subject, points).finally(() => pending.delete(subject));
    pending.set(subject, running);
    return running;
  };

  return {
    async consume(subject, points) {
      for (;;) {
        const held = liveLease(subject);
        const isRefused = held !== null && held.left < points && held.consumed + held.left >= limit;
        if (held && (isRefused || held.left >= points)) {
          if (!isRefused) {
            held.left -= points;
            held.consumed += points;
          }
          return { consumed: held.consumed, msToReset: held.endsAt - performance.now(), isRefused };
        }
        await leaseOnce(subject, Math.max(block, points - (held?.left ?? 0)));
      }
    },
    close() {
      leases.clear();
    },
  };
}
