import { connectTo, type PostgresClient } from '../db/connection/postgresClient.ts';
import { MIGRATION_TABLES, withoutMigrations } from '../db/migrationRecords.ts';
import { countRows, postgresStore, quoted, tablesOf } from '../db/tables.ts';
import { BackupProblem, type Manifest } from './manifest.ts';
import { restoreDump } from './postgresBackup.ts';

/** Processes of the product that use the database of this connection; their names begin so. */
const PROCESSES = `SELECT COUNT(*) AS count FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE 'svc-%' AND application_name <> 'svc-admin'`;

/** Throws a `BackupProblem` when a process of the product is connected to the database. */
export async function refuseRunning(client: PostgresClient): Promise<void> {
  const { rows } = await client.query(PROCESSES);
  if (Number(rows[0].count) === 0) return;
  throw new BackupProblem('Processes of the product are connected to this database. Stop all of them first.');
}

/**
 * Restores a dump into the database at `url`, all or nothing. Tables that are there are moved into a schema whose name is
 * returned; without `replace`, tables with rows are refused with a `BackupProblem`. A restore that fails moves them back.
 */
export async function restorePostgres(
  url: string,
  dump: string,
  { counts }: Manifest,
  replace: boolean,
): Promise<{ movedTo: string | null }> {
  const client = await connectTo(url);
  try {
    await refuseRunning(client);
    const store = postgresStore(client);
    const found = await countRows(store);
    const rows = Object.values(withoutMigrations(found)).reduce((sum, count) => sum + count, 0);
    if (rows > 0 && !replace)
      throw new BackupProblem(
        `The database has ${rows} rows. With --replace its tables are moved into another schema.`,
      );
    const aside = Object.keys(found).length > 0 ? await moveAside(client) : null;
    try {
      await restoreDump(dump, url);
    } catch (error) {
      if (aside) await moveBack(client, aside);
      throw error;
    }
    const isWorthless = rows === 0 && Object.keys(found).every((table) => table in counts);
    if (!aside || !isWorthless) return { movedTo: aside?.to ?? null };
    await client.query(`DROP SCHEMA ${quoted(aside.to)} CASCADE`);
    return { movedTo: null };
  } finally {
    await client.end();
  }
}

interface Moved {
  from: string;
  to: string;
}

/**
 * Renames the schema of the tables, and makes an empty one in its place. Extensions go along to the new one: a dump refers to
 * them there. The schema of the jobs is dropped: they are made again from what is due in the tables.
 */
async function moveAside(client: PostgresClient): Promise<Moved> {
  const { rows } = await client.query('SELECT CAST(current_schema() AS TEXT) AS name');
  const from = String(rows[0].name);
  const to = `replaced_${new Date().toISOString().slice(0, 19).replace(/\D/g, '_')}`;
  await inOne(client, async () => {
    await client.query(`ALTER SCHEMA ${quoted(from)} RENAME TO ${quoted(to)}`);
    await client.query(`CREATE SCHEMA ${quoted(from)}`);
    await moveExtensions(client, { from: to, to: from });
    await client.query('DROP SCHEMA IF EXISTS pgboss CASCADE');
  });
  return { from, to };
}

async function moveBack(client: PostgresClient, { from, to }: Moved): Promise<void> {
  await inOne(client, async () => {
    await moveExtensions(client, { from, to });
    // pg_restore has rolled back, so there is nothing in it.
    await client.query(`DROP SCHEMA ${quoted(from)}`);
    await client.query(`ALTER SCHEMA ${quoted(to)} RENAME TO ${quoted(from)}`);
  });
}

async function moveExtensions(client: PostgresClient, { from, to }: Moved): Promise<void> {
  const { rows } = await client.query(
    'SELECT extname FROM pg_extension WHERE extnamespace = CAST($1 AS regnamespace) AND extrelocatable',
    [from],
  );
  for (const { extname } of rows) await client.query(`ALTER EXTENSION ${quoted(extname)} SET SCHEMA ${quoted(to)}`);
}

async function inOne(client: PostgresClient, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN');
  try {
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** Throws a `BackupProblem` when a table of the database has rows, other than the list of migrations. */
export async function refuseRows(client: PostgresClient): Promise<void> {
  const store = postgresStore(client);
  for (const table of await tablesOf(store)) {
    if (MIGRATION_TABLES.includes(table)) continue;
    const found = await store.all(`SELECT 1 AS one FROM "${table}" LIMIT 1`);
    if (found.length > 0) throw new BackupProblem(`The database is in use: ${table} has rows. Name one without any.`);
  }
}
