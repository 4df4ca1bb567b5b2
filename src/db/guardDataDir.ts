import { chmod, lstat, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { within } from '../kernel/deadline.ts';
import { log } from '../kernel/log.ts';

const RIGHTS_OF_OTHERS = 0o077;
const STICKY = 0o1000;

/** What the product makes in DATA_DIR. Anything else there is the operator's own. */
const OURS = /^(svc\.sqlite.*|in-use\.lock.*|secret\.key.*|first-account|jobs.*|clicks|uploads|downloads)$/;

/**
 * Makes DATA_DIR and closes it to other users of the machine: password hashes, customers' data and the key of stored
 * secrets are in it. Whatever this process writes from now on is private, and what an earlier version left open is
 * closed. A folder that belongs to another user, or is shared as /tmp is, stays as it is, with a warning.
 */
export async function guardDataDir(dataDir: string): Promise<void> {
  process.umask(RIGHTS_OF_OTHERS);
  await within(makeFolder(path.resolve(dataDir)), PATIENCE_MS, () => new DataDirHangs(dataDir));
  // Windows has no such rights.
  if (!process.getuid) return;
  const folder = await realpath(dataDir);
  const { mode, uid } = await lstat(folder);
  const isOwn = uid === process.getuid() && (mode & STICKY) === 0;
  if (isOwn) await closeToOthers(folder);
  else if (mode & RIGHTS_OF_OTHERS) {
    log.warn({ folder }, 'other users of this machine can look into DATA_DIR; use a folder of this user alone');
  }
  const names = (await readdir(folder)).filter((name) => OURS.test(name));
  await Promise.all(names.map((name) => closeTreeToOthers(path.join(folder, name))));
}

/** A network disk that is gone; `message` says so. */
export class DataDirHangs extends Error {
  constructor(dataDir: string) {
    super(
      `DATA_DIR ${path.resolve(dataDir)} does not answer: its disk may be away. Mend that, or set DATA_DIR to another folder.`,
    );
  }
}

const PATIENCE_MS = 10_000;

/** Node's own `recursive` tries for ever below folders such as /proc, where nothing can be made. */
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

/** Takes the rights of others from a file, or from a folder and everything in it. Symbolic links are not followed. */
export async function closeTreeToOthers(file: string): Promise<void> {
  const isFolder = await closeToOthers(file);
  if (!isFolder) return;
  const names = await readdir(file).catch(() => []);
  await Promise.all(names.map((name) => closeTreeToOthers(path.join(file, name))));
}

/** Gives whether it is a folder. */
async function closeToOthers(file: string): Promise<boolean> {
  try {
    const found = await lstat(file);
    if (found.isSymbolicLink()) return false;
    if (found.mode & RIGHTS_OF_OTHERS) await chmod(file, found.mode & 0o700);
    return found.isDirectory();
  } catch (error) {
    // Gone meanwhile: nothing is left to protect.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      log.warn({ err: error, file }, 'other users of this machine may read this file: its rights cannot be changed');
    }
    return false;
  }
}
