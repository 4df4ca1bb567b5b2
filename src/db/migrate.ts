import { QueryTypes, type Transaction } from 'sequelize';
import { Umzug } from 'umzug';
import { log } from '../kernel/log.ts';
import { database, dialect, waitForEver } from './database.ts';
import { inTransaction } from './inTransaction.ts';
import { MIGRATIONS } from './migrations/index.ts';

/** Any number that nothing else in the database uses for an advisory lock. */
const MIGRATION_LOCK = 7_461_202_611;

/**
 * Brings the tables up to date, all in one transaction: a crash leaves them as they were. Several processes may start
 * at once: on PostgreSQL one migrates while the others wait behind an advisory lock, on SQLite the lock of DATA_DIR has
 * already seen to it that there is only one.
 */
export async function migrate(): Promise<void> {
  const done = await inTransaction(async (transaction) => {
    const patience = waitForEver(transaction);
    try {
      await lock(transaction);
      await database().query('CREATE TABLE IF NOT EXISTS migrations (name VARCHAR(255) PRIMARY KEY)', { transaction });
      await refuseNewer(transaction);
      return await umzug(transaction).up();
    } finally {
      patience.end();
    }
  });
  if (done.length > 0) log.info({ migrations: done.map((migration) => migration.name) }, 'tables brought up to date');
}

/** The tables were made by a later version, whose rows this one may not understand; `message` says what to do. */
export class StoreIsNewer extends Error {}

async function refuseNewer(transaction: Transaction): Promise<void> {
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  const newer = (await executed(transaction)).filter((name) => !known.has(name));
  if (newer.length === 0) return;
  throw new StoreIsNewer(
    `The store was brought up to date by a newer version (${newer.join(', ')}). Start that version, or put back a backup from before.`,
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
