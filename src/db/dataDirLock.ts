import path from 'node:path';
import sqlite3 from 'sqlite3';

/** DATA_DIR belongs to another running process; `message` says what to do. */
export class DataDirInUse extends Error {}

/**
 * Takes DATA_DIR, which is there, for this process until `release` or its death. The lock is the file lock of the operating system,
 * held through an exclusive SQLite transaction: a crash frees it, and a re-used process number cannot hold it.
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): Promise<void> }> {
  const file = path.join(dataDir, 'in-use.lock');
  const holder = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(file, (error) => (error ? reject(error) : resolve(opened)));
  });
  try {
    await exec(holder, 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (error) {
    await new Promise((resolve) => holder.close(resolve));
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    throw new DataDirInUse(
      `DATA_DIR ${path.resolve(dataDir)} is in use by another process. Stop that one, or give this one its own DATA_DIR.`,
    );
  }
  return { release: () => new Promise((resolve) => holder.close(() => resolve())) };
}

function exec(connection: sqlite3.Database, sql: string): Promise<void> {
  return new Promise((resolve, reject) => connection.exec(sql, (error) => (error ? reject(error) : resolve())));
}
