import {
  type IRateLimiterPostgresOptions,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { dialect } from '../../db/database.ts';
import { selectApart } from '../../db/selectBound.ts';
import { within } from '../../kernel/deadline.ts';
import { log } from '../../kernel/log.ts';
import { StoreHangs } from '../../kernel/storeSilence.ts';

/** PostgreSQL's milliseconds since the epoch when the statement began. */
export const STORE_NOW_MS = '(extract(epoch FROM now()) * 1000)::bigint';
/** The same at this very moment: a row that is waited for, or has just been committed, may be younger than the statement. */
const STORE_CLOCK_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Counts in this process. After the clock was set back it tells no longer wait than a window. */
export class OwnCounter extends RateLimiterMemory {
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

  /** The library ends windows by a timer too, so that only what it tells depends on the clock. */
  #bounded(result: RateLimiterRes): RateLimiterRes {
    Object.assign(result, { msBeforeNext: Math.min(result.msBeforeNext, this.msDuration) });
    return result;
  }
}

interface Counted {
  rows: { points: number; ms_left: number }[];
}

/**
 * Counts in PostgreSQL, by its clock and in one statement. By their own clocks, as the library does it, processes that
 * differ would lengthen each other's windows, and a clock that is set back would lock everybody out for as long. Even so
 * a window that ends later than one that begins now would is over.
 */
class SharedCounter extends RateLimiterPostgres {
  /** Of the library, where each store has these; its types leave them out. */
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
      // A key that is blocked may be so for longer than a window.
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

  /** Keys that are refused without asking the store; the library remembers until when by the clock of this process. */
  getInMemoryBlockMsBeforeExpire(key: string): number {
    const msLeft = this._inMemoryBlockedKeys.msBeforeExpire(key);
    return msLeft > this.msDuration ? 0 : msLeft;
  }
}

/** A counter must never hold up what it guards for long. */
const PATIENCE_MS = 1000;

/** Counts what may be tried only so often. `consume` throws a `RateLimiterRes` when that was too often. */
export interface AttemptCounter {
  consume(key: string): Promise<unknown>;
  reward(key: string): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

/**
 * Shared by processes where several share a store. Each also counts for itself, and goes by that for an attempt that the
 * store did not count in time, so that a store which is slow or away makes no room for more attempts at one process.
 */
export function attemptCounter(options: Omit<IRateLimiterPostgresOptions, 'storeClient'>): AttemptCounter {
  const own = new OwnCounter(options);
  if (dialect() === 'sqlite') return own;
  const shared = sharedCounter(options);
  const both = (change: (counter: RateLimiterAbstract) => Promise<unknown>) =>
    Promise.all([change(own), change(shared).catch(noteUncounted)]);
  return {
    async consume(key) {
      const [counted] = await Promise.allSettled([own.consume(key)]);
      try {
        return await shared.consume(key);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) throw refusal;
        noteUncounted(refusal);
        if (counted.status === 'rejected') throw counted.reason;
        return counted.value;
      }
    },
    reward: (key) => both((counter) => counter.reward(key)),
    delete: (key) => both((counter) => counter.delete(key)),
  };
}

function noteUncounted(error: unknown): void {
  log.debug({ err: error }, 'attempt not counted in the store, so this process counts it for itself');
}

/** A counter that all processes share. Throws when the store does not answer soon. */
export function sharedCounter(options: Omit<IRateLimiterPostgresOptions, 'storeClient'>): RateLimiterPostgres {
  return new SharedCounter({
    ...options,
    storeClient: { query: ask },
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
  });
}

interface Asked {
  text: string;
  values: unknown[];
}

/** As a client of the driver answers. */
async function ask({ text, values }: Asked): Promise<{ rows: object[]; rowCount: number }> {
  const rows = await within(selectApart(text, values, PATIENCE_MS), PATIENCE_MS, tooLate);
  return { rows, rowCount: rows.length };
}

function tooLate(): Error {
  return new StoreHangs(`the counter did not answer for ${PATIENCE_MS} ms`);
}
