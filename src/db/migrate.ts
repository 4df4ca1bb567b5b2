import { QueryTypes, type Transaction } from 'sequelize';
import type { Config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { ADMIN_CALL } from '../kernel/version.ts';
import { makeIndexes } from './bigIndexes.ts';
import { database, dialect } from './connection/database.ts';
import { liftQueryTimeout } from './connection/internals.ts';
import {
  makeRecordTables,
  migrationsOf,
  missingIn,
  recordMigration,
  refuseNewer,
  StoreIsOlder,
} from './migrationRecords.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { extendPartitions } from './partitions/extendPartitions.ts';
import { makePartitioned } from './partitions/makePartitioned.ts';
import { openStoreIn } from './query.ts';
import type { SomeStore } from './tables.ts';
import { inTransaction } from './transactions.ts';

/** An arbitrary number that no other advisory lock in the database uses. */
const MIGRATION_LOCK = 7_461_202_611;

/** What `migrate` has done, by name. */
export interface Migrated {
  migrations: string[];
  indexes: string[];
  /** Tables that have partitions from now on. */
  partitioned: string[];
}

/** Migrates the store at the start of a process, or with MIGRATE=off only checks it and throws a `StoreIsOlder`. */
export async function migrateAtStart({ migrate: mode }: Pick<Config, 'migrate'>): Promise<void> {
  if (mode === 'off') return refuseUnmigrated();
  await migrate();
}

/**
 * Brings the tables up to date, all in one transaction: a crash leaves them as they were. Several processes may start
 * at once: on PostgreSQL one migrates while the others wait for an advisory lock; on SQLite the lock of DATA_DIR admits
 * only one process. Indexes and partitions of large tables are made after it.
 */
export async function migrate(onProgress: (line: string) => void = () => {}): Promise<Migrated> {
  const migrations = await inTransaction(async (transaction) => {
    const timeout = await liftQueryTimeout(transaction);
    try {
      await lock(transaction);
      const store = openStoreIn(transaction);
      await makeRecordTables(store);
      return await runMissing(store, transaction, onProgress);
    } finally {
      await timeout.restore();
    }
  });
  const indexes = await makeIndexes(
    MIGRATIONS.flatMap((migration) => migration.indexes ?? []),
    onProgress,
  );
  const tables = await makePartitioned(onProgress);
  await extendPartitions();
  if ([migrations, indexes, tables].some(({ length }) => length > 0))
    log.info({ migrations, indexes, partitioned: tables }, 'migrated the store');
  return { migrations, indexes, partitioned: tables };
}

async function refuseUnmigrated(): Promise<void> {
  const seen = await migrationsOf(openStoreIn());
  refuseNewer(seen);
  const missing = missingIn(seen).map(({ name }) => name);
  if (missing.length === 0) return;
  throw new StoreIsOlder(
    `The store lacks migrations (${shortened(missing)}) and MIGRATE is off. Run ${ADMIN_CALL} migrate, then start again.`,
  );
}

function shortened(names: readonly string[]): string {
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
}

async function lock(transaction: Transaction): Promise<void> {
  if (dialect() === 'sqlite') return;
  await database().query('SELECT pg_advisory_xact_lock(:lock)', {
    type: QueryTypes.SELECT,
    replacements: { lock: MIGRATION_LOCK },
    transaction,
  });
}

/** Returns the names of what has run. */
async function runMissing(
  store: SomeStore,
  transaction: Transaction,
  onProgress: (line: string) => void,
): Promise<string[]> {
  const seen = await migrationsOf(store);
  refuseNewer(seen);
  const missing = missingIn(seen);
  for (const { name, kind, up } of missing) {
    onProgress(`Running ${name} (${kind}).`);
    await up(database().getQueryInterface(), transaction);
    await recordMigration(store, { name, kind });
  }
  return missing.map(({ name }) => name);
}
