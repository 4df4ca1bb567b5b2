import { setTimeout as delay } from 'node:timers/promises';
import { database } from './connection/database.ts';
import { liftQueryTimeout, withConnection } from './connection/internals.ts';
import type { SomeStore } from './tables.ts';

/** An arbitrary number that no other advisory lock in the database uses. */
const STEP_LOCK = 7_461_202_612;
/** How often a process asks whether another one is done with its steps. */
const POLL_MS = 500;

/**
 * Runs steps that change large tables of PostgreSQL outside of a transaction: in one process at a time, on a connection of
 * their own without a query timeout. `about` is the statement that traces name.
 */
export function withStepLock<Result>(about: string, steps: (store: SomeStore) => Promise<Result>): Promise<Result> {
  return withConnection(database(), null, about, async (connection) => {
    const timeout = await liftQueryTimeout({ connection });
    const client = connection as { query(sql: string, values?: unknown[]): Promise<{ rows: unknown[] }> };
    const store: SomeStore = {
      dialect: 'postgres',
      all: async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
        (await client.query(sql, [...values])).rows as Row[],
    };
    try {
      await lock(store);
      return await steps(store);
    } finally {
      await store.all('SELECT pg_advisory_unlock($1)', [STEP_LOCK]).catch(() => {});
      await timeout.restore();
    }
  });
}

/**
 * Asks for the lock again and again instead of waiting for it: CREATE INDEX CONCURRENTLY waits for every statement that runs,
 * and so for one that waits for the lock of the process that makes the index.
 */
async function lock(store: SomeStore): Promise<void> {
  for (;;) {
    const [row] = await store.all<{ is_mine: boolean }>('SELECT pg_try_advisory_lock($1) AS is_mine', [STEP_LOCK]);
    if (row?.is_mine) return;
    await delay(POLL_MS);
  }
}
