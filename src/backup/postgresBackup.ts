import path from 'node:path';
import { connectTo } from '../db/connection/postgresClient.ts';
import { migrationsOf } from '../db/migrationRecords.ts';
import { countRows, postgresStore } from '../db/tables.ts';
import { BackupProblem, PARTS } from './manifest.ts';
import { checkVersion, runTool } from './postgresTools.ts';
import { type Progress, pendingIn, type Snapshot } from './snapshot.ts';

/**
 * Part of the bytes of tables, without indexes, that must be free for a dump, which is compressed: a million clicks and 200,000
 * events took 0.19 of theirs. Blocks of clicks, which are compressed in the table already, take more.
 */
const DUMP_SHARE = 0.5;

/** Bytes to keep free for a dump. Throws a `BackupProblem` when the database is not one of the product. */
export async function dumpBytes(url: string): Promise<number> {
  const client = await connectTo(url);
  try {
    const store = postgresStore(client);
    if ((await migrationsOf(store)).length === 0)
      throw new BackupProblem('The database of DATABASE_URL has no tables of this product.');
    const [row] = await store.all<{ bytes: string | number | null }>(
      "SELECT SUM(pg_table_size(oid)) AS bytes FROM pg_class WHERE relkind = 'r' AND relnamespace = CAST(CAST(current_schema() AS TEXT) AS regnamespace)",
    );
    return Number(row?.bytes ?? 0) * DUMP_SHARE;
  } finally {
    await client.end();
  }
}

/**
 * Dumps the database into `folder` by pg_dump, of the same moment as the counts: one transaction exports its snapshot and counts
 * meanwhile. Jobs are left out, because a start makes them again from what is due in the tables, and so is what a restore
 * has moved aside.
 */
export async function dumpPostgres(url: string, folder: string, progress: Progress): Promise<Snapshot> {
  const client = await connectTo(url);
  try {
    await checkVersion('pg_dump', client);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const store = postgresStore(client);
    const [exported] = await store.all<{ snapshot: string }>('SELECT pg_export_snapshot() AS snapshot');
    progress('the store, by pg_dump', 0);
    await runTool('pg_dump', url, [
      '--format=custom',
      '--no-owner',
      '--no-privileges',
      '--exclude-schema=pgboss',
      '--exclude-schema=replaced_*',
      `--snapshot=${exported?.snapshot}`,
      `--file=${path.join(folder, PARTS.postgres)}`,
    ]);
    progress('the store, by pg_dump', 1);
    return {
      migrations: (await migrationsOf(store)).map(({ name }) => name),
      counts: await countRows(store),
      pending: await pendingIn(store),
    };
  } finally {
    await client.end();
  }
}

/** Restores a dump into an empty database, all or nothing. */
export async function restoreDump(file: string, url: string): Promise<void> {
  const client = await connectTo(url);
  try {
    await checkVersion('pg_restore', client);
  } finally {
    await client.end();
  }
  await runTool('pg_restore', url, [
    '--no-owner',
    '--no-privileges',
    '--no-comments',
    '--single-transaction',
    '--exit-on-error',
    file,
  ]);
  const restored = await connectTo(url);
  try {
    // The planner knows nothing of a new database.
    await restored.query('ANALYZE');
  } finally {
    await restored.end();
  }
}
