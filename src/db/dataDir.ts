import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import sqlite3 from 'sqlite3';
import { withTimeout } from '../kernel/deadline.ts';
import { log } from '../kernel/log.ts';
import { ADMIN_CALL } from '../kernel/version.ts';

/** The folder in DATA_DIR that a restore leaves when it is interrupted: what is next to it may be half of a store. */
export const RESTORING = 'restoring';

/** A restore into DATA_DIR was interrupted; `message` says what to do. */
export class HalfRestored extends Error {}

/** Throws `HalfRestored` when a restore into DATA_DIR did not end. */
export function refuseHalfRestored(dataDir: string): void {
  if (!existsSync(path.join(dataDir, RESTORING))) return;
  throw new HalfRestored(
    `A restore into DATA_DIR ${path.resolve(dataDir)} was interrupted. Run it again: ${ADMIN_CALL} restore FOLDER.`,
  );
}

/** Another running process uses DATA_DIR; `message` says what to do. */
export class DataDirInUse extends Error {}

/**
 * Locks the existing DATA_DIR for this process until `release` or its end. It is a file lock of the operating system, held
 * through an exclusive SQLite transaction: a crash frees it, and a reused process id cannot hold it.
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

const PERMISSIONS_OF_OTHERS = 0o077;
const STICKY = 0o1000;

/** What the product creates in DATA_DIR. Anything else there belongs to the operator. */
const OURS =
  /^(svc\.sqlite.*|in-use\.lock.*|admin\.sock|secret\.key.*|first-account|jobs.*|clicks.*|uploads|downloads|restoring|replaced-.*)$/;

/**
 * Creates DATA_DIR and denies other users of the machine access to it: it holds password hashes, customers' data and the
 * key of stored secrets. Files that this process creates from now on are private, and the permissions of existing ones are
 * corrected. A folder that belongs to another user, or is shared like /tmp, stays as it is, with a warning.
 */
export async function guardDataDir(dataDir: string): Promise<void> {
  process.umask(PERMISSIONS_OF_OTHERS);
  await withTimeout(makeFolder(path.resolve(dataDir)), TIMEOUT_MS, () => new DataDirHangs(dataDir));
  // Windows has no such permissions.
  if (!process.getuid) return;
  const folder = await realpath(dataDir);
  const { mode, uid } = await lstat(folder);
  const isOwn = uid === process.getuid() && (mode & STICKY) === 0;
  if (isOwn) await closeToOthers(folder);
  else if (mode & PERMISSIONS_OF_OTHERS) {
    log.warn({ folder }, 'other users of this machine can read DATA_DIR; use a folder that belongs to this user only');
  }
  const names = (await readdir(folder)).filter((name) => OURS.test(name));
  await Promise.all(names.map((name) => closeTreeToOthers(path.join(folder, name))));
}

/** DATA_DIR does not respond, as on a network disk that is gone; `message` says what to do. */
export class DataDirHangs extends Error {
  constructor(dataDir: string) {
    super(
      `DATA_DIR ${path.resolve(dataDir)} does not respond; its disk may be gone. Fix that, or set DATA_DIR to another folder.`,
    );
  }
}

const TIMEOUT_MS = 10_000;

/** mkdir's own `recursive` never returns below folders such as /proc, where nothing can be created. */
async function makeFolder(folder: string, isParentMade = false): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code !== 'ENOENT' || isParentMade) throw error;
    await makeFolder(path.dirname(folder));
    await makeFolder(folder, true);
  }
}

/** Denies other users access to a file, or to a folder and everything in it. Symbolic links are not followed. */
export async function closeTreeToOthers(file: string): Promise<void> {
  const isFolder = await closeToOthers(file);
  if (!isFolder) return;
  const names = await readdir(file).catch(() => []);
  await Promise.all(names.map((name) => closeTreeToOthers(path.join(file, name))));
}

/** Returns whether it is a folder. */
async function closeToOthers(file: string): Promise<boolean> {
  try {
    const found = await lstat(file);
    if (found.isSymbolicLink()) return false;
    if (found.mode & PERMISSIONS_OF_OTHERS) await chmod(file, found.mode & 0o700);
    return found.isDirectory();
  } catch (error) {
    // It was deleted meanwhile, so nothing is left to protect.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      log.warn(
        { err: error, file },
        'other users of this machine may be able to read this file: its permissions cannot be changed',
      );
    }
    return false;
  }
}
