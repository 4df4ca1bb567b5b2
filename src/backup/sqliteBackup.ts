import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { SqliteFile } from '../db/connection/SqliteFile.ts';
import { migrationsOf } from '../db/migrationRecords.ts';
import { countRows, sqliteStore } from '../db/tables.ts';
import { BackupProblem, PARTS } from './manifest.ts';
import { type Progress, pendingIn, type Snapshot } from './snapshot.ts';

/** The store in DATA_DIR. Throws a `BackupProblem` when there is none. */
export function sqliteFileIn(dataDir: string): string {
  const file = path.join(path.resolve(dataDir), 'svc.sqlite');
  if (existsSync(file)) return file;
  throw new BackupProblem(
    `There is no store in DATA_DIR ${path.resolve(dataDir)}. Set DATA_DIR, or DATABASE_URL, as for the product itself.`,
  );
}

/** Bytes that a copy of the store needs at most. */
export async function sqliteBytes(dataDir: string): Promise<number> {
  const file = sqliteFileIn(dataDir);
  const log = await stat(`${file}-wal`).catch(() => null);
  return (await stat(file)).size + (log?.size ?? 0);
}

/**
 * Copies the store of DATA_DIR into `folder`, also while the product writes to it. One read transaction spans the copy and the
 * counts, so that they are of the same moment. It delays no writer: only the write-ahead log grows until it ends.
 */
export async function copySqlite(dataDir: string, folder: string, progress: Progress): Promise<Snapshot> {
  const file = await SqliteFile.open(sqliteFileIn(dataDir), { isReadOnly: true });
  const copy = path.join(folder, PARTS.sqlite);
  try {
    await file.exec('BEGIN');
    const store = sqliteStore(file);
    // The first statement that reads fixes the moment.
    const migrations = (await migrationsOf(store)).map(({ name }) => name);
    await file.copyTo(copy, (share) => progress('the store', share));
    const snapshot = { migrations, counts: await countRows(store), pending: await pendingIn(store) };
    await file.exec('COMMIT');
    await makeSingleFile(copy);
    return snapshot;
  } finally {
    await file.close();
  }
}

/** Without a write-ahead log the copy is one file, and can be read where nothing can be written. */
async function makeSingleFile(copy: string): Promise<void> {
  const file = await SqliteFile.open(copy, { isReadOnly: false });
  try {
    await file.exec('PRAGMA journal_mode = DELETE');
  } finally {
    await file.close();
  }
}

/** What SQLite says of a file: damage, and rows that refer to rows that are not there. Empty when it is sound. */
export async function damageOf(file: SqliteFile): Promise<string[]> {
  const found = await file.all<{ integrity_check: string }>('PRAGMA integrity_check');
  const torn = await file.all<{ table: string; count: number }>(
    'SELECT "table", COUNT(*) AS count FROM pragma_foreign_key_check GROUP BY 1',
  );
  const search = await file
    .exec("INSERT INTO link_search (link_search, rank) VALUES ('integrity-check', 1)")
    .then(() => [])
    .catch((error: Error) => [`the search index is damaged: ${error.message}`]);
  return [
    ...found.map((row) => row.integrity_check).filter((text) => text !== 'ok'),
    ...torn.map(({ table, count }) => `${count} rows of ${table} refer to rows that do not exist`),
    ...search,
  ];
}
