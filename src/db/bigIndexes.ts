import { dialect } from './connection/database.ts';
import { madeIndexesOf, recordIndex } from './migrationRecords.ts';
import type { BigIndex } from './migrations/index.ts';
import { readPartitions } from './partitions/readPartitions.ts';
import { openStoreIn } from './query.ts';
import { withStepLock } from './stepLock.ts';
import type { SomeStore } from './tables.ts';
import { inTransaction } from './transactions.ts';

const PLAINLY = 'CREATE INDEX IF NOT EXISTS';
const CONCURRENTLY = 'CREATE INDEX CONCURRENTLY IF NOT EXISTS';

/**
 * Makes those of `indexes` that the store does not have yet, after the transaction of their migrations. On PostgreSQL
 * `CONCURRENTLY`: a plain CREATE INDEX keeps everybody from writing to the table until it ends. One process at a time makes
 * them. Returns the names of what it made.
 */
export async function makeIndexes(indexes: readonly BigIndex[], onProgress: (line: string) => void): Promise<string[]> {
  if ((await missing(indexes)).length === 0) return [];
  if (dialect() === 'sqlite')
    return inTransaction((own) => {
      const store = openStoreIn(own);
      return makeAll(store, indexes, onProgress, ({ name, on }) => store.all(`${PLAINLY} ${name} ON ${on}`));
    });
  return withStepLock(CONCURRENTLY, async (store) => {
    await dropBroken(store, await missing(indexes, store));
    return makeAll(store, indexes, onProgress, (index) => makeConcurrently(store, index));
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
  make: (index: BigIndex) => Promise<unknown>,
): Promise<string[]> {
  const made: string[] = [];
  for (const index of await missing(indexes, store)) {
    onProgress(`Making the index ${index.name}. Links and the API go on meanwhile.`);
    await make(index);
    await recordIndex(store, index.name);
    made.push(index.name);
  }
  return made;
}

/**
 * PostgreSQL refuses CONCURRENTLY for a table with partitions. There the index is made in each of them and attached to one of
 * the whole table, which covers partitions to come.
 */
async function makeConcurrently(store: SomeStore, { name, on }: BigIndex): Promise<void> {
  const [table = '', rest = ''] = splitAtSpace(on);
  const partitions = await readPartitions(table, store);
  if (partitions === null) {
    await store.all(`${CONCURRENTLY} ${name} ON ${on}`);
    return;
  }
  await store.all(`${PLAINLY} ${name} ON ONLY ${on}`);
  for (const partition of partitions) {
    const own = `${name}_${partition.name.slice(table.length + 1)}`;
    await store.all(`${CONCURRENTLY} ${own} ON ${partition.name} ${rest}`);
    await store.all(`ALTER INDEX ${name} ATTACH PARTITION ${own}`);
  }
}

function splitAtSpace(on: string): [string, string] {
  const at = on.indexOf(' ');
  return [on.slice(0, at), on.slice(at + 1)];
}

/** A crash in the middle leaves an index that is written to but never used: it is made again. */
async function dropBroken(store: SomeStore, indexes: readonly BigIndex[]): Promise<void> {
  const broken = await store.all<{ name: string; is_partitioned: boolean }>(
    `SELECT relname AS name, relkind = 'I' AS is_partitioned FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE NOT indisvalid AND relnamespace = CAST(CAST(current_schema() AS TEXT) AS regnamespace)
        AND relname LIKE ANY($1) ORDER BY relkind DESC`,
    [indexes.flatMap(({ name }) => [name, `${name}\\_%`])],
  );
  for (const { name, is_partitioned: isPartitioned } of broken)
    await store.all(`DROP INDEX ${isPartitioned ? '' : 'CONCURRENTLY'} IF EXISTS ${name}`);
}
