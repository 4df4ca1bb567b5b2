import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { SqliteFile } from '../db/connection/SqliteFile.ts';
import { guardDataDir, lockDataDir, RESTORING } from '../db/dataDir.ts';
import { withoutMigrations } from '../db/migrationRecords.ts';
import { countRows, sqliteStore } from '../db/tables.ts';
import { needRoom } from './backupFolder.ts';
import { copyJournals, journalBytes } from './journals.ts';
import { BackupProblem, flush, type Manifest, PARTS } from './manifest.ts';

/** What belongs to a store in DATA_DIR, with the log that SQLite keeps next to it, and the jobs, which a start makes again. */
const OF_STORE = /^(svc\.sqlite.*|secret\.key|first-account|jobs|clicks(\..+)?)$/;

/**
 * Puts a backup into DATA_DIR, whose process must be stopped. A store that is there is moved into a folder of DATA_DIR whose
 * name is returned; without `replace`, one that has rows or clicks is refused with a `BackupProblem`.
 *
 * Everything is copied first and then renamed. A crash between two names leaves the folder `restoring`, with which the product
 * does not start: the restore has to be run again.
 */
export async function restoreSqlite(
  dataDir: string,
  folder: string,
  manifest: Manifest,
  replace: boolean,
): Promise<{ movedTo: string | null }> {
  await guardDataDir(dataDir);
  const target = path.resolve(dataDir);
  const lock = await lockDataDir(target);
  try {
    const staged = path.join(target, RESTORING);
    if (!replace && !existsSync(staged)) await refuseRows(target);
    await stage(folder, staged, manifest);
    const movedTo = await moveAside(target);
    for (const name of await readdir(staged)) await rename(path.join(staged, name), path.join(target, name));
    await flush(target);
    await rm(staged, { recursive: true });
    return { movedTo };
  } finally {
    await lock.release();
  }
}

/** Copies what is to be in DATA_DIR, and has the disk keep it. */
async function stage(folder: string, staged: string, manifest: Manifest): Promise<void> {
  await rm(staged, { recursive: true, force: true });
  const bytes = Object.values(manifest.files).reduce((sum, file) => sum + file.bytes, 0);
  await needRoom(path.dirname(staged), bytes);
  await mkdir(staged, { mode: 0o700 });
  for (const name of [PARTS.sqlite, PARTS.secretKey]) {
    if (!existsSync(path.join(folder, name))) continue;
    await copyFile(path.join(folder, name), path.join(staged, name));
    await chmod(path.join(staged, name), 0o600);
    await flush(path.join(staged, name));
  }
  await copyJournals(path.join(folder, PARTS.journals), staged);
  await flush(staged);
}

async function refuseRows(target: string): Promise<void> {
  const rows = await rowsIn(path.join(target, PARTS.sqlite));
  const bytes = await journalBytes(target);
  if (rows === 0 && bytes === 0) return;
  throw new BackupProblem(
    `DATA_DIR ${target} has a store with ${rows} rows and ${bytes} bytes of clicks. With --replace it is moved aside.`,
  );
}

async function rowsIn(file: string): Promise<number> {
  if (!existsSync(file)) return 0;
  const opened = await SqliteFile.open(file, { isReadOnly: true });
  try {
    const counts = withoutMigrations(await countRows(sqliteStore(opened)));
    return Object.values(counts).reduce((sum, count) => sum + count, 0);
  } finally {
    await opened.close();
  }
}

/** Moves the former store into a folder of its own. Returns null when there is none. */
async function moveAside(target: string): Promise<string | null> {
  const names = (await readdir(target)).filter((name) => OF_STORE.test(name));
  if (names.length === 0) return null;
  const aside = path.join(target, `replaced-${new Date().toISOString().replaceAll(':', '-')}`);
  await mkdir(aside, { mode: 0o700 });
  for (const name of names) await rename(path.join(target, name), path.join(aside, name));
  return aside;
}

/**
 * Puts the journals of a backup of PostgreSQL into DATA_DIR. Clicks that wait there stay: they are in a folder of their own
 * afterwards. Returns its name, or null.
 */
export async function restoreJournals(dataDir: string, folder: string): Promise<{ movedTo: string | null }> {
  const journals = path.join(folder, PARTS.journals);
  if ((await journalBytes(journals)) === 0) return { movedTo: null };
  await guardDataDir(dataDir);
  const target = path.resolve(dataDir);
  const lock = await lockDataDir(target);
  try {
    const movedTo = (await journalBytes(target)) === 0 ? null : await moveAside(target);
    await rm(path.join(target, 'clicks'), { recursive: true, force: true });
    await copyJournals(journals, target);
    return { movedTo };
  } finally {
    await lock.release();
  }
}
