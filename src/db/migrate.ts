import { QueryTypes, type Transaction } from 'sequelize';
import { Umzug } from 'umzug';
import { log } from '../kernel/log.ts';
import { database, dialect } from './connection/database.ts';
import { liftQueryTimeout } from './connection/internals.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { inTransaction } from './transactions.ts';

/** An arbitrary number that no other advisory lock in the database uses. */
const MIGRATION_LOCK = 7_461_202_611;

/**
 * Brings the tables up to date, all in one transaction: a crash leaves them as they were. Several processes may start
 * at once: on PostgreSQL one migrates while the others wait for an advisory lock; on SQLite the lock of DATA_DIR admits
 * only one process.
 */
export async function migrate(): Promise<void> {
  const done = await inTransaction(async (transaction) => {
    const timeout = liftQueryTimeout(transaction);
    try {
      await lock(transaction);
      await database().query('CREATE TABLE IF NOT EXISTS migrations (name VARCHAR(255) PRIMARY KEY)', { transaction });
      await refuseNewer(transaction);
      return await umzug(transaction).up();
    } finally {
      timeout.restore();
    }
  });
  if (done.length > 0) log.info({ migrations: done.map((migration) => migration.name) }, 'migrated the store');
}

/** A newer version has migrated the store, and this one may not understand its rows; `message` says what to do. */
export class StoreIsNewer extends Error {}

async function refuseNewer(transaction: Transaction): Promise<void> {
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  const newer = (await executed(transaction)).filter((name) => !known.has(name));
  if (newer.length === 0) return;
  throw new StoreIsNewer(
    `A newer version has migrated the store (${newer.join(', ')}). Start that version, or restore a backup made before it.`,
  );
}

async function lock(transaction: Transaction): Promise<void> {
  if (dialect() === 'sqlite') return;
  await database().query('SELECT pg_advisory_xact_lock(:lock)', {
    type: QueryTypes.SELECT,
    replacements: { lock: MIGRATION_LOCK },
    transaction,
  });
}

function umzug(transaction: Transaction): Umzug {
  return new Umzug({
    migrations: MIGRATIONS.map(({ name, up }) => ({ name, up: () => up(database().getQueryInterface(), transaction) })),
    storage: {
      executed: () => executed(transaction),
      async logMigration({ name }) {
        await database().query('INSERT INTO migrations (name) VALUES (:name)', { replacements: { name }, transaction });
      },
      async unlogMigration({ name }) {
        await database().query('DELETE FROM migrations WHERE name = :name', { replacements: { name }, transaction });
      },
    },
    logger: undefined,
  });
}

async function executed(transaction: Transaction): Promise<string[]> {
  const rows = await database().query<{ name: string }>('SELECT name FROM migrations ORDER BY name', {
    type: QueryTypes.SELECT,
    transaction,
  });
  return rows.map((row) => row.name);
}
