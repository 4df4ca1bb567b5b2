import {
  type IRateLimiterPostgresOptions,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { isStoreShared } from '../db/connection/database.ts';
import { deleteOldest } from '../db/deleteOldest.ts';
import { queryDetached, queryRaw } from '../db/query.ts';
import { inTransaction } from '../db/transactions.ts';
import { withTimeout } from '../kernel/deadline.ts';
import { log } from '../kernel/log.ts';
import { StoreUnresponsive } from '../kernel/storeResponse.ts';

/** A counter must never hold up for long what it protects. */
const STORE_TIMEOUT_MS = 1000;

/** PostgreSQL's milliseconds since the epoch when the statement began. */
const STORE_NOW_MS = '(extract(epoch FROM now()) * 1000)::bigint';
/** PostgreSQL's present milliseconds: a row that was just committed may be younger than the statement that reads it. */
const STORE_CLOCK_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Counts in this process. After the clock is set back, it never reports a wait longer than a window. */
export class LocalCounter extends RateLimiterMemory {
  override consume(...asked: Parameters<RateLimiterMemory['consume']>): Promise<RateLimiterRes> {
    return super.consume(...asked).then(
      (result) => this.#bounded(result),
      (refusal) => {
        throw refusal instanceof RateLimiterRes ? this.#bounded(refusal) : refusal;
      },
    );
  }

  override penalty(...asked: Parameters<RateLimiterMemory['penalty']>): Promise<RateLimiterRes> {
    return super.penalty(...asked).then((result) => this.#bounded(result));
  }

  /** The library also ends windows by a timer, so that only the wait that it reports depends on the clock. */
  #bounded(result: RateLimiterRes): RateLimiterRes {
    Object.assign(result, { msBeforeNext: Math.min(result.msBeforeNext, this.msDuration) });
    return result;
  }
}

interface Counted {
  rows: { points: number; ms_left: number }[];
}

/**
 * Counts in PostgreSQL, by its clock and in one statement. The library goes by the clock of each process: processes whose
 * clocks differ would lengthen each other's windows, and a clock that is set back would lock everybody out for that long.
 * For the same reason a window that ends later than one that began now counts as over.
 */
class SharedCounter extends RateLimiterPostgres {
  /** Members of the library's stores that its types leave out. */
  declare _query: (query: { name: string; text: string; values: unknown[] }) => Promise<Counted>;
  declare _inMemoryBlockedKeys: { msBeforeExpire(key: string): number };

  _upsert(key: string, points: number, durationMs: number, startsAnew = false): Promise<Counted> {
    const isOver = `($4 OR rate_limits.expire <= ${STORE_NOW_MS} OR rate_limits.expire > ${STORE_CLOCK_MS} + $5)`;
    return this._query({
      name: 'count',
      text: `INSERT INTO rate_limits (key, points, expire) VALUES ($1, $2, ${STORE_NOW_MS} + $3)
        ON CONFLICT (key) DO UPDATE SET
          points = CASE WHEN ${isOver} THEN $2 ELSE rate_limits.points + $2 END,
          expire = CASE WHEN ${isOver} THEN excluded.expire ELSE rate_limits.expire END
        RETURNING points, (expire - ${STORE_NOW_MS})::float8 AS ms_left`,
      // A key may be blocked for longer than a window.
      values: [key, points, durationMs, startsAnew, Math.max(durationMs, this.msBlockDuration)],
    });
  }

  _get(key: string): Promise<Counted | null> {
    const query = {
      name: 'read',
      text: `SELECT points, (expire - ${STORE_NOW_MS})::float8 AS ms_left FROM rate_limits
        WHERE key = $1 AND expire > ${STORE_NOW_MS} AND expire <= ${STORE_CLOCK_MS} + $2`,
      values: [key, Math.max(this.msDuration, this.msBlockDuration)],
    };
    return this._query(query).then((counted) => (counted.rows.length === 0 ? null : counted));
  }

  _getRateLimiterRes(_key: string, changedPoints: number, { rows: [row] }: Counted): RateLimiterRes {
    const { points, ms_left: msLeft } = row as Counted['rows'][number];
    return new RateLimiterRes(Math.max(this.points - points, 0), Math.max(msLeft, 0), points, points === changedPoints);
  }

  /** How long a key is refused without asking the store; the library measures that by the clock of this process. */
  getInMemoryBlockMsBeforeExpire(key: string): number {
    const msLeft = this._inMemoryBlockedKeys.msBeforeExpire(key);
    return msLeft > this.msDuration ? 0 : msLeft;
  }
}

/** Counts attempts. `consume` throws a `RateLimiterRes` when there were too many. */
export interface AttemptCounter {
  consume(key: string): Promise<unknown>;
  reward(key: string): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

/**
 * A counter that processes share where they share a store. Each process also counts for itself, and relies on that for an
 * attempt that the store did not count in time, so that a store that is slow or down allows no more attempts at one process.
 */
export function attemptCounter(options: Omit<IRateLimiterPostgresOptions, 'storeClient'>): AttemptCounter {
  const local = new LocalCounter(options);
  if (!isStoreShared()) return local;
  const shared = sharedCounter(options);
  const both = (change: (counter: RateLimiterAbstract) => Promise<unknown>) =>
    Promise.all([change(local), change(shared).catch(logUncounted)]);
  return {
    async consume(key) {
      const [counted] = await Promise.allSettled([local.consume(key)]);
      try {
        return await shared.consume(key);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) throw refusal;
        logUncounted(refusal);
        if (counted.status === 'rejected') throw counted.reason;
        return counted.value;
      }
    },
    reward: (key) => both((counter) => counter.reward(key)),
    delete: (key) => both((counter) => counter.delete(key)),
  };
}

function logUncounted(error: unknown): void {
  log.debug({ err: error }, 'the store did not count an attempt in time: this process goes by its own count');
}

/** A counter that all processes share. Throws when the store does not answer within a second. */
export function sharedCounter(options: Omit<IRateLimiterPostgresOptions, 'storeClient'>): RateLimiterPostgres {
  return new SharedCounter({
    ...options,
    storeClient: { query: runQuery },
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
  });
}

interface StoreQuery {
  text: string;
  values: unknown[];
}

/** Answers as a client of the PostgreSQL driver does. */
async function runQuery({ text, values }: StoreQuery): Promise<{ rows: object[]; rowCount: number }> {
  const rows = await withTimeout(queryDetached(text, values, STORE_TIMEOUT_MS), STORE_TIMEOUT_MS, timedOut);
  return { rows, rowCount: rows.length };
}

/**
 * Adds points to a count in the store, whatever its kind, and returns their sum. A new count ends at `endsAtMs`. Throws when
 * the store does not answer within a second.
 */
export async function addPoints(key: string, points: number, endsAtMs: number): Promise<number> {
  const adding = inTransaction((transaction) =>
    queryRaw<{ points: number }>(
      `INSERT INTO rate_limits (key, points, expire) VALUES ($1, $2, $3)
       ON CONFLICT (key) DO UPDATE SET points = rate_limits.points + excluded.points RETURNING points`,
      [key, points, endsAtMs],
      transaction,
    ),
  );
  const [row] = await withTimeout(adding, STORE_TIMEOUT_MS, timedOut);
  return row?.points ?? points;
}

function timedOut(): Error {
  return new StoreUnresponsive(`the counter did not answer for ${STORE_TIMEOUT_MS} ms`);
}

/** Deletes up to `batch` counts of windows that have ended and returns whether there may be more. */
export async function purgeQuotas(batch: number): Promise<boolean> {
  // By the clock that wrote the counts. On SQLite only the counts of days are in the store.
  const endsAt = isStoreShared()
    ? { where: `expire < ${STORE_NOW_MS}`, values: [] }
    : { where: 'expire < $1', values: [Date.now()] };
  const over = { table: 'rate_limits', ...endsAt, oldestBy: 'key' };
  return (await deleteOldest({ ...over, batch })) === batch;
}
