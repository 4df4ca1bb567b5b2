import { dialect } from '../../db/database.ts';
import { OwnCounter, sharedCounter } from './counters.ts';
import { leasingLimiter } from './leasingLimiter.ts';

/** What came of taking points. */
export interface Taken {
  /** Points of the window that are used up, with these unless they were refused. */
  taken: number;
  /** Until the window ends. */
  msToReset: number;
  /** There were not enough: nothing was taken. */
  isRefused: boolean;
}

export interface Limiter {
  take(subject: string, points: number): Promise<Taken>;
  close(): void;
}

/** Counts in memory where there is one process, and in PostgreSQL where several share a quota. */
export function createLimiter(name: string, limit: number, windowSeconds: number): Limiter {
  const options = { keyPrefix: name, points: limit, duration: windowSeconds };
  if (dialect() === 'sqlite') return inMemory(new OwnCounter(options));
  const shared = sharedCounter(options);
  return leasingLimiter(limit, async (subject, points) => {
    const { consumedPoints, msBeforeNext } = await shared.penalty(subject, points);
    return { taken: consumedPoints, msToReset: msBeforeNext };
  });
}

function inMemory(limiter: OwnCounter): Limiter {
  return {
    async take(subject, points) {
      // Not `consume`, which throws its answer when the quota is used up, and counts what it refuses.
      const { consumedPoints, msBeforeNext } = await limiter.penalty(subject, points);
      if (consumedPoints <= limiter.points) return { taken: consumedPoints, msToReset: msBeforeNext, isRefused: false };
      await limiter.reward(subject, points);
      return { taken: consumedPoints - points, msToReset: msBeforeNext, isRefused: true };
    },
    close() {},
  };
}
