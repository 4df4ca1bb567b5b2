import { existsSync } from 'node:fs';
import path from 'node:path';
import { closeDatabase, openDatabase } from '../db/connection/database.ts';
import { connectTo, type PostgresClient } from '../db/connection/postgresClient.ts';
import { SqliteFile } from '../db/connection/SqliteFile.ts';
import { guardDataDir, lockDataDir } from '../db/dataDir.ts';
import { migrate } from '../db/migrate.ts';
import { MIGRATION_TABLES, migrationsOf, withoutMigrations } from '../db/migrationRecords.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import { countRows, differences, postgresStore, type RowCounts, sqliteStore, tablesOf } from '../db/tables.ts';
import type { Config } from '../kernel/config.ts';
import { copyRows } from './copyRows.ts';
import { journalBytes } from './journals.ts';
import { BackupProblem } from './manifest.ts';
import { refuseRows, refuseRunning } from './restorePostgres.ts';
import type { Progress } from './snapshot.ts';
import { sqliteFileIn } from './sqliteBackup.ts';

export interface Moved {
  counts: RowCounts;
  /** Bytes of clicks in the journal, which stays in DATA_DIR. */
  journalBytes: number;
  /** The file whose content SECRET_KEY must be; null: SECRET_KEY is set already. */
  keyFile: string | null;
}

/**
 * Copies every table of the SQLite store in DATA_DIR, whose product must be stopped, into an empty PostgreSQL database, in one
 * transaction: until it commits, the database has empty tables, and a second run starts over. The SQLite store stays as it is.
 * Throws a `BackupProblem`.
 */
export async function moveToPostgres(config: Config, url: string, progress: Progress): Promise<Moved> {
  const file = sqliteFileIn(config.dataDir);
  await guardDataDir(config.dataDir);
  const lock = await lockDataDir(path.resolve(config.dataDir));
  try {
    const source = await SqliteFile.open(file, { isReadOnly: true });
    try {
      await refuseOtherVersion(source);
      await makeTables(config, url);
      const counts = await copyAll(source, url, progress);
      const keyFile = path.resolve(config.dataDir, 'secret.key');
      const hasFile = config.secretKey === null && existsSync(keyFile);
      return { counts, journalBytes: await journalBytes(config.dataDir), keyFile: hasFile ? keyFile : null };
    } finally {
      await source.close();
    }
  } finally {
    await lock.release();
  }
}

/** The tables of both stores must be those of this version. */
async function refuseOtherVersion(source: SqliteFile): Promise<void> {
  const seen = (await migrationsOf(sqliteStore(source))).map(({ name }) => name).sort();
  const known = MIGRATIONS.map(({ name }) => name).sort();
  if (seen.join() === known.join()) return;
  throw new BackupProblem(
    'The store in DATA_DIR is of another version. Start this version on it once, so that it is brought up to date, and stop it.',
  );
}

/** Makes the tables in the target as a start of the product does. Those that are there must be empty. */
async function makeTables(config: Config, url: string): Promise<void> {
  const client = await connectTo(url);
  try {
    await refuseRunning(client);
    await refuseRows(client);
  } finally {
    await client.end();
  }
  await openDatabase({ ...config, databaseUrl: url });
  try {
    await migrate();
  } finally {
    await closeDatabase();
  }
}

async function copyAll(source: SqliteFile, url: string, progress: Progress): Promise<RowCounts> {
  const target = await connectTo(url);
  try {
    const counts = await countRows(sqliteStore(source));
    await target.query('BEGIN');
    await lockTables(target);
    await refuseRows(target);
    for (const table of await inOrder(target)) {
      // The list of migrations is that of the target.
      if (MIGRATION_TABLES.includes(table)) continue;
      if (counts[table] === undefined) throw new Error(`SQLite has no table ${table}`);
      const all = counts[table];
      await copyRows(source, target, table, (rows) => progress(`${table}, ${all} rows`, all === 0 ? 1 : rows / all));
    }
    const wrong = differences(withoutMigrations(counts), withoutMigrations(await countRows(postgresStore(target))));
    if (wrong.length > 0) throw new BackupProblem(`Not every row arrived: ${wrong.join('; ')}. Nothing was kept.`);
    await target.query('COMMIT');
    // The planner knows nothing of new rows.
    await target.query('ANALYZE');
    return withoutMigrations(counts);
  } finally {
    // Without a commit, everything is rolled back.
    await target.end();
  }
}

/**
 * A process of the product that starts on the target meanwhile waits until the end, and then finds the first account. Tables
 * are locked in the order in which migrations would.
 */
async function lockTables(target: PostgresClient): Promise<void> {
  const tables = await tablesOf(postgresStore(target));
  await target.query(`LOCK TABLE ${tables.map((table) => `"${table}"`).join(', ')} IN ACCESS EXCLUSIVE MODE`);
}

/** The tables of the target, each after those that its rows refer to. */
async function inOrder(target: PostgresClient): Promise<string[]> {
  const { rows } = await target.query<{ from: string; to: string }>(
    `SELECT DISTINCT source.relname AS "from", refers.relname AS "to" FROM pg_constraint
       JOIN pg_class AS source ON source.oid = conrelid JOIN pg_class AS refers ON refers.oid = confrelid
      WHERE contype = 'f' AND conrelid <> confrelid`,
  );
  const ordered: string[] = [];
  const visit = (table: string, path: readonly string[]) => {
    if (ordered.includes(table)) return;
    if (path.includes(table)) throw new Error(`Tables refer to each other in a circle: ${[...path, table].join(', ')}`);
    for (const { from, to } of rows) if (from === table) visit(to, [...path, table]);
    ordered.push(table);
  };
  for (const table of await tablesOf(postgresStore(target))) visit(table, []);
  return ordered;
}
