import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { isStoreShared } from '../db/connection/database.ts';
import { ofStore } from '../db/ofStore.ts';
import { config } from '../kernel/config.ts';
import { whileSame } from '../kernel/memoize.ts';
import { LocalCounter, sharedCounter } from './counters.ts';

/** How many more records a key may change through assistants. */
export interface WriteBudget {
  limit: number;
  remaining: number;
  /** Seconds until the whole limit is available again. */
  resetSeconds: number;
}

const HOUR_SECONDS = 3600;

/** Budgets are counted from zero in each store, and again when the setting changes. */
const counter = ofStore(() =>
  whileSame(
    () => config.mcpWritesPerHour,
    (points): RateLimiterAbstract => {
      const options = { keyPrefix: 'assistantWrites', points, duration: HOUR_SECONDS };
      return isStoreShared() ? sharedCounter(options) : new LocalCounter(options);
    },
  ),
);

/** The budget of a key in the hour that began with its first change. `limit` can only lower MCP_WRITES_PER_HOUR. */
export async function writeBudgetOf(keyId: string, limit = Number.POSITIVE_INFINITY): Promise<WriteBudget> {
  return budgetFrom(await counts().get(keyId), limit);
}

/**
 * Takes `records` from the budget of a key before they are changed. Returns what is left; null when fewer are left than
 * wanted, and then takes none.
 */
export async function spendWrites(
  keyId: string,
  records: number,
  limit = Number.POSITIVE_INFINITY,
): Promise<WriteBudget | null> {
  const spent = await counts().penalty(keyId, records);
  if (spent.consumedPoints <= limitOf(limit)) return budgetFrom(spent, limit);
  await counts().reward(keyId, records);
  return null;
}

/** Gives back what was taken for records that were not changed. */
export async function returnWrites(keyId: string, records: number): Promise<void> {
  if (records > 0) await counts().reward(keyId, records);
}

function counts(): RateLimiterAbstract {
  return counter()();
}

function limitOf(limit: number): number {
  return Math.min(config.mcpWritesPerHour, limit);
}

function budgetFrom(state: { consumedPoints: number; msBeforeNext: number } | null, given: number): WriteBudget {
  const limit = limitOf(given);
  return {
    limit,
    remaining: Math.max(0, limit - (state?.consumedPoints ?? 0)),
    resetSeconds: state ? Math.max(0, Math.ceil(state.msBeforeNext / 1000)) : 0,
  };
}
