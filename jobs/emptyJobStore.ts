import {
  closeSync,
  cpSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PRODUCT_FOLDER } from '../src/kernel/version.ts';

/** Where the build puts an empty job store, in the folder of the product. See scripts/makeJobStore.ts. */
const BUILT = 'dist/job-store';

/**
 * In the built folder: the data, the version of PGlite that made them, and the empty folders in them, one a line, which packages of
 * npm do not hold.
 */
export const PARTS = { data: 'data', madeBy: 'made-by', emptyFolders: 'empty-folders' } as const;

/** Windows syncs files that are open for writing, and no folders. */
const IS_WINDOWS = process.platform === 'win32';

/** The folder of an installed PGlite. */
export function pgliteFolder(): string {
  return path.dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
}

export function pgliteVersion(): string {
  return JSON.parse(readFileSync(path.join(pgliteFolder(), '../package.json'), 'utf8')).version;
}

/**
 * The built folder of an empty job store with its tables and queues, to be copied: PGlite takes several seconds of a core to make one. Null where
 * nothing is built, or it was built for another version of PGlite.
 */
export function emptyJobStore(): string | null {
  const folder = path.join(PRODUCT_FOLDER ?? '.', BUILT);
  if (!existsSync(path.join(folder, PARTS.madeBy))) return null;
  const madeBy = readFileSync(path.join(folder, PARTS.madeBy), 'utf8').split('\n')[0];
  return madeBy === pgliteVersion() ? folder : null;
}

/**
 * Copies an empty job store to `folder`, as a whole or not at all, whenever the process or the machine ends: under another name
 * first. Blocks its thread.
 */
export function copyJobStore(empty: string, folder: string): void {
  const half = `${folder}.new`;
  rmSync(half, { recursive: true, force: true });
  try {
    fill(half, empty);
  } catch (error) {
    // A full disk gets its room back.
    rmSync(half, { recursive: true, force: true });
    throw error;
  }
  renameSync(half, folder);
  if (!IS_WINDOWS) sync(path.dirname(folder), 'r');
}

function fill(half: string, empty: string): void {
  // Nobody else sees what is in it. What is copied may be of any mode: a package of npm has files that everybody may read.
  mkdirSync(half, { mode: 0o700 });
  cpSync(path.join(empty, PARTS.data), half, { recursive: true });
  const emptyFolders = readFileSync(path.join(empty, PARTS.emptyFolders), 'utf8').split('\n').filter(Boolean);
  for (const name of emptyFolders) mkdirSync(path.join(half, name), { recursive: true });
  for (const entry of readdirSync(half, { recursive: true, withFileTypes: true })) {
    const copied = path.join(entry.parentPath, entry.name);
    if (entry.isFile()) sync(copied, 'r+', 0o600);
    else if (!IS_WINDOWS) sync(copied, 'r', 0o700);
  }
}

function sync(file: string, flags: 'r' | 'r+', mode?: number): void {
  const opened = openSync(file, flags);
  try {
    if (mode) fchmodSync(opened, mode);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
