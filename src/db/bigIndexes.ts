import { setTimeout as delay } from 'node:timers/promises';
import { database, dialect } from './connection/database.ts';
import { liftQueryTimeout, withConnection } from './connection/internals.ts';
import { madeIndexesOf, recordIndex } from './migrationRecords.ts';
import type { BigIndex } from './migrations/index.ts';
import { openStoreIn } from './query.ts';
import type { SomeStore } from './tables.ts';
import { inTransaction } from './transactions.ts';

/** An arbitrary number that no other advisory lock in the database uses. */
const INDEX_LOCK = 7_461_202_612;
/** How often a process asks whether another one is done with its indexes. */
const POLL_MS = 500;

const PLAINLY = 'CREATE INDEX IF NOT EXISTS';
const CONCURRENTLY = 'CREATE INDEX CONCURRENTLY IF NOT EXISTS';

/**
 * Makes those of `indexes` that the store does not have yet, after the transaction of their migrations. On PostgreSQL
 * `CONCURRENTLY`: a plain CREATE INDEX keeps everybody from writing to the table until it ends. One process at a time makes
 * them. Returns the names of what it made.
 */
export async function makeIndexes(indexes: readonly BigIndex[], onProgress: (line: string) => void): Promise<string[]> {
  if ((await missing(indexes)).length === 0) return [];
  if (dialect() === 'sqlite') return inTransaction((own) => makeAll(openStoreIn(own), indexes, onProgress, PLAINLY));
  return withConnection(database(), null, CONCURRENTLY, async (connection) => {
    const timeout = liftQueryTimeout({ connection });
    const client = connection as { query(sql: string, values?: unknown[]): Promise<{ rows: unknown[] }> };
    const store: SomeStore = {
      dialect: 'postgres',
      all: async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
        (await client.query(sql, [...values])).rows as Row[],
    };
    try {
      await lock(store);
      await dropBroken(store, await missing(indexes, store));
      return await makeAll(store, indexes, onProgress, CONCURRENTLY);
    } finally {
      await store.all('SELECT pg_advisory_unlock($1)', [INDEX_LOCK]).catch(() => {});
      timeout.restore();
    }
  });
}

async function missing(indexes: readonly BigIndex[], store = openStoreIn()): Promise<BigIndex[]> {
  if (indexes.length === 0) return [];
  const made = await madeIndexesOf(store);
  return indexes.filter(({ name }) => !made.has(name));
}

async function makeAll(
  store: SomeStore,
  indexes: readonly BigIndex[],
  onProgress: (line: string) => void,
  create: string,
): Promise<string[]> {
  const made: string[] = [];
  for (const { name, on } of await missing(indexes, store)) {
    onProgress(`Making the index ${name}. Links and the API go on meanwhile.`);
    await store.all(`${create} ${name} ON ${on}`);
    await recordIndex(store, name);
    made.push(name);
  }
  return made;
}

/**
 * Asks for the lock again and again instead of waiting for it: CREATE INDEX CONCURRENTLY waits for every statement that runs,
 * and so for one that waits for the lock of the process that makes the index.
 */
async function lock(store: SomeStore): Promise<void> {
  for (;;) {
    const [row] = await store.all<{ is_mine: boolean }>('SELECT pg_try_advisory_lock($1) AS is_mine', [INDEX_LOCK]);
    if (row?.is_mine) return;
    await delay(POLL_MS);
  }
}

/** A crash in the middle leaves an index that is written to but never used: it is made again. */
async function dropBroken(store: SomeStore, indexes: readonly BigIndex[]): Promise<void> {
  const broken = await store.all<{ name: string }>(
    `SELECT relname AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE NOT indisvalid AND relnamespace = CAST(CAST(current_schema() AS TEXT) AS regnamespace) AND relname = ANY($1)`,
    [indexes.map(({ name }) => name)],
  );
  for (const { name } of broken) await store.all(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}
