import { type IRateLimiterPostgresOptions, RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import { database, dialect } from '../../db/database.ts';
import { leasingLimiter } from './leasingLimiter.ts';

/** After taking: how many of the window were taken, this one included, and when the window ends. */
export interface Taken {
  taken: number;
  msToReset: number;
}

export interface Limiter {
  take(subject: string): Promise<Taken>;
  close(): void;
}

/** Counts in memory where there is one process, and in PostgreSQL where several share a quota. */
export function createLimiter(name: string, limit: number, windowSeconds: number): Limiter {
  const options = { keyPrefix: name, points: limit, duration: windowSeconds };
  if (dialect() === 'sqlite') return inMemory(new RateLimiterMemory(options));
  const shared = sharedCounter(options);
  return leasingLimiter(limit, async (subject, points) => {
    const { consumedPoints, msBeforeNext } = await shared.penalty(subject, points);
    return { taken: consumedPoints, msToReset: msBeforeNext };
  });
}

/** Counts in PostgreSQL. Throws when it cannot be asked, unless `insuranceLimiter` counts then. */
export function sharedCounter(options: Omit<IRateLimiterPostgresOptions, 'storeClient'>): RateLimiterPostgres {
  return new RateLimiterPostgres({
    ...options,
    storeClient: database(),
    storeType: 'sequelize',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
  });
}

function inMemory(limiter: RateLimiterMemory): Limiter {
  return {
    async take(subject) {
      // Not `consume`, which throws its answer when the quota is used up.
      const { consumedPoints, msBeforeNext } = await limiter.penalty(subject, 1);
      return { taken: consumedPoints, msToReset: msBeforeNext };
    },
    close() {},
  };
}
