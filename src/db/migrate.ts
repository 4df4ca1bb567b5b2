import { QueryTypes } from 'sequelize';
import { Umzug } from 'umzug';
import { log } from '../kernel/log.ts';
import { database, dialect } from './database.ts';
import { inTransaction } from './inTransaction.ts';
import { MIGRATIONS } from './migrations/index.ts';

/** Any number that nothing else in the database uses for an advisory lock. */
const MIGRATION_LOCK = 7_461_202_611;

/**
 * Brings the tables up to date. Several processes may start at once: on PostgreSQL one migrates while the others wait
 * behind an advisory lock, on SQLite the lock of DATA_DIR has already seen to it that there is only one.
 */
export async function migrate(): Promise<void> {
  if (dialect() === 'sqlite') return runPending();
  await database().transaction(async (transaction) => {
    await database().query('SELECT pg_advisory_xact_lock(:lock)', {
      type: QueryTypes.SELECT,
      replacements: { lock: MIGRATION_LOCK },
      transaction,
    });
    await runPending();
  });
}

/** Migrations write their own record in the transaction of their change: a crash leaves both or neither. */
async function runPending(): Promise<void> {
  await inTransaction(async (transaction) => {
    await database().query('CREATE TABLE IF NOT EXISTS migrations (name VARCHAR(255) PRIMARY KEY)', { transaction });
  });
  const umzug = new Umzug({
    migrations: MIGRATIONS.map(({ name, up }) => ({
      name,
      up: () =>
        inTransaction(async (transaction) => {
          await up(database().getQueryInterface(), transaction);
          await database().query('INSERT INTO migrations (name) VALUES (:name)', {
            replacements: { name },
            transaction,
          });
        }),
    })),
    storage: {
      executed: async () => {
        const rows = await database().query<{ name: string }>('SELECT name FROM migrations ORDER BY name', {
          type: QueryTypes.SELECT,
        });
        return rows.map((row) => row.name);
      },
      logMigration: async () => {},
      unlogMigration: async () => {},
    },
    logger: undefined,
  });
  const done = await umzug.up();
  if (done.length > 0) log.info({ migrations: done.map((migration) => migration.name) }, 'tables brought up to date');
}
