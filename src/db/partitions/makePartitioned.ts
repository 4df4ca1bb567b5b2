import { setTimeout as delay } from 'node:timers/promises';
import { clock, DAY_MS } from '../../kernel/clock.ts';
import { ALPHABET } from '../../kernel/ids.ts';
import { log } from '../../kernel/log.ts';
import { dialect } from '../connection/database.ts';
import { openStoreIn } from '../query.ts';
import { withStepLock } from '../stepLock.ts';
import { isStoreDown } from '../storeFailures.ts';
import { primaryKeyOf, type SomeStore } from '../tables.ts';
import { isLockTimeout, LOCK_TIMEOUT } from './lockTimeout.ts';
import { storeAheadMs } from './readPartitions.ts';
import { boundAt, PARTITIONED, type PartitionedTable } from './tables.ts';

/** How often a lock of a table is asked for before the table is left for the next start, and the pause between two times. */
const TRIES = 120;
const PAUSE_MS = 500;

/** Columns, defaults and comments of another table, without what is named in a schema. */
const ALIKE = 'INCLUDING ALL EXCLUDING INDEXES EXCLUDING CONSTRAINTS EXCLUDING STATISTICS';

/**
 * Gives PostgreSQL's large tables partitions, after the migrations and their indexes. No row is moved: the table as it was
 * becomes the first partition. That it has nothing beyond its bound is checked before, while everybody goes on; the exchange
 * itself takes a moment. A crash in between leaves the table as it was, and the next start goes on. Returns the tables.
 */
export async function makePartitioned(onProgress: (line: string) => void): Promise<string[]> {
  if (dialect() === 'sqlite' || (await undivided(openStoreIn())).length === 0) return [];
  if (!(await sortsIdsByTime(openStoreIn()))) {
    log.warn(
      'this database sorts letters in an order of its own, so large tables get no partitions: see docs/engines.md',
    );
    return [];
  }
  const aheadMs = await storeAheadMs();
  if (Math.abs(aheadMs) > DAY_MS) {
    log.warn(
      { aheadMs },
      'the clocks of PostgreSQL and this process differ by days, so large tables get no partitions now',
    );
    return [];
  }
  return withStepLock('ALTER TABLE ATTACH PARTITION', async (store) => {
    const made: string[] = [];
    for (const table of await undivided(store)) {
      onProgress(`Giving the table ${table.name} partitions. Links and the API go on meanwhile.`);
      try {
        await divide(table, store);
        made.push(table.name);
      } catch (error) {
        if (isStoreDown(error) && !isLockTimeout(error)) throw error;
        // Everything works without partitions, only old rows go slower.
        log.error(
          { err: error, table: table.name },
          'cannot give the table partitions; trying again at the next start',
        );
      }
    }
    return made;
  });
}

/** Whether the collation of the database sorts ids by their characters: some languages have an order of their own for `aa` or `ch`. */
async function sortsIdsByTime(store: SomeStore): Promise<boolean> {
  const pairs = [...ALPHABET].flatMap((one) => [...ALPHABET].map((other) => one + other));
  const rows = await store.all<{ pair: string }>('SELECT pair FROM unnest(CAST($1 AS TEXT[])) AS pair ORDER BY pair', [
    pairs,
  ]);
  return rows.every(({ pair }, at) => pair === pairs[at]);
}

async function undivided(store: SomeStore): Promise<PartitionedTable[]> {
  const rows = await store.all<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relname = ANY($1)
       AND relnamespace = CAST(CAST(current_schema() AS TEXT) AS regnamespace)`,
    [PARTITIONED.map(({ name }) => name)],
  );
  const names = new Set(rows.map(({ name }) => name));
  return PARTITIONED.filter(({ name }) => names.has(name));
}

async function divide(table: PartitionedTable, store: SomeStore): Promise<void> {
  const { name, key, reshape } = table;
  const check = `${name}_before_bound`;
  for (const index of reshape?.indexes ?? [])
    await store.all(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${index.name} ON ${index.on}`);
  const bound = boundAt(table, (Math.floor(clock.now() / DAY_MS) + 1 + table.days()) * DAY_MS);
  await locked(name, store, async () => {
    for (const statement of reshape?.statements ?? []) await store.all(statement);
    await store.all(
      `CREATE TABLE IF NOT EXISTS ${name}_default (LIKE ${name} INCLUDING ALL EXCLUDING CONSTRAINTS EXCLUDING STATISTICS)`,
    );
    // Of a clock that was far ahead. They are seen again in a moment.
    await store.all(
      `WITH odd AS (DELETE FROM ${name} WHERE ${key} >= ${bound} RETURNING *) INSERT INTO ${name}_default SELECT * FROM odd`,
    );
    await store.all(`ALTER TABLE ${name} DROP CONSTRAINT IF EXISTS ${check}`);
    await store.all(`ALTER TABLE ${name} ADD CONSTRAINT ${check} CHECK (${key} < ${bound}) NOT VALID`);
  });
  await store.all(`ALTER TABLE ${name} VALIDATE CONSTRAINT ${check}`);
  await locked(name, store, () => exchange(table, bound, check, store));
}

/** The table takes the place of its first partition, with the same indexes, references and rights. */
async function exchange({ name, key }: PartitionedTable, bound: string, check: string, store: SomeStore) {
  const first = `${name}_first`;
  const indexes = await store.all<{ name: string; definition: string; is_primary: boolean }>(
    `SELECT relname AS name, pg_get_indexdef(indexrelid) AS definition, indisprimary AS is_primary
     FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = CAST($1 AS regclass)`,
    [name],
  );
  const references = await store.all<{ name: string; definition: string }>(
    `SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE conrelid = CAST($1 AS regclass) AND contype = 'f'`,
    [name],
  );
  const rights = await store.all<{ statement: string }>(
    `SELECT format('GRANT %s ON %I TO %s', privilege_type, relname, COALESCE(quote_ident(rolname), 'PUBLIC')) AS statement
     FROM pg_class CROSS JOIN aclexplode(relacl) LEFT JOIN pg_roles ON pg_roles.oid = grantee
     WHERE pg_class.oid = CAST($1 AS regclass) AND grantee <> relowner`,
    [name],
  );
  const columns = await primaryKeyOf(name, store);
  await store.all(`ALTER TABLE ${name} RENAME TO ${first}`);
  for (const index of indexes) await store.all(`ALTER INDEX ${index.name} RENAME TO ${index.name}_first`);
  await store.all(`CREATE TABLE ${name} (LIKE ${first} ${ALIKE}) PARTITION BY RANGE (${key})`);
  await store.all(`ALTER TABLE ${name} ADD CONSTRAINT ${name}_pkey PRIMARY KEY (${columns.join(', ')})`);
  for (const { definition } of indexes.filter(({ is_primary: isPrimary }) => !isPrimary)) await store.all(definition);
  for (const reference of references)
    await store.all(`ALTER TABLE ${name} ADD CONSTRAINT ${reference.name} ${reference.definition}`);
  for (const { statement } of rights) await store.all(statement);
  await store.all(`ALTER TABLE ${name} ATTACH PARTITION ${first} FOR VALUES FROM (MINVALUE) TO (${bound})`);
  await store.all(`ALTER TABLE ${name} ATTACH PARTITION ${name}_default DEFAULT`);
  await store.all(`ALTER TABLE ${first} DROP CONSTRAINT ${check}`);
}

/**
 * Runs `work` in a transaction that nobody else reads or writes the table in. Who waits for a lock keeps those who come later
 * waiting too: so it waits for a moment only, again and again.
 */
async function locked(name: string, store: SomeStore, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await store.all('BEGIN');
    try {
      await store.all(LOCK_TIMEOUT);
      await store.all(`LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`);
      await work();
      await store.all('COMMIT');
      return;
    } catch (error) {
      await store.all('ROLLBACK');
      if (!isLockTimeout(error) || tries === TRIES) throw error;
      await delay(PAUSE_MS);
    }
  }
}
