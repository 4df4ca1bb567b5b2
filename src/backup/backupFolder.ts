import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { lockDataDir } from '../db/dataDir.ts';
import { isDiskFull } from '../kernel/diskFailures.ts';
import { BackupProblem, flush } from './manifest.ts';

const UNFINISHED = /^\.svc-backup-.+\.unfinished$/;
/** Room to be left on the disk: lists, manifest, and what others write meanwhile. */
const SPARE_BYTES = 16 * 1024 * 1024;

/**
 * Has `fill` write a backup, and gives it its name when it is whole: before that it is a hidden folder next to it, which a
 * later backup to the same place removes when its process is gone. Throws when there is something of that name already.
 */
export async function writeWhole(target: string, fill: (folder: string) => Promise<void>): Promise<void> {
  // It holds password hashes, customers' data, and the key of stored secrets.
  process.umask(0o077);
  const wanted = path.resolve(target);
  const parent = path.dirname(wanted);
  refuseExisting(wanted);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await removeLeftovers(parent);
  const name = `.svc-backup-${path.basename(wanted)}-${randomBytes(4).toString('hex')}.unfinished`;
  const folder = path.join(parent, name);
  await mkdir(folder, { mode: 0o700 });
  let lock: { release(): Promise<void> } | null = null;
  try {
    lock = await lockDataDir(folder);
    await fill(path.join(folder, CONTENT));
    await flush(path.join(folder, CONTENT));
    refuseExisting(wanted);
    // A folder of the same name that came meanwhile makes this fail, unless it is empty.
    await rename(path.join(folder, CONTENT), wanted);
    await flush(parent);
  } catch (error) {
    throw isDiskFull(error) ? new BackupProblem(`The disk of ${parent} is full. No backup was kept.`) : error;
  } finally {
    await lock?.release();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The backup itself, next to the lock. */
const CONTENT = 'backup';

function refuseExisting(wanted: string): void {
  if (existsSync(wanted)) throw new BackupProblem(`${wanted} exists already. Name a folder that does not exist yet.`);
}

/** Removes backups that were not finished and whose process is gone. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!UNFINISHED.test(name)) continue;
    const folder = path.join(parent, name);
    const lock = await lockDataDir(folder).catch(() => null);
    if (!lock) continue;
    try {
      await rm(path.join(folder, CONTENT), { recursive: true, force: true });
    } finally {
      await lock.release();
    }
    await rm(folder, { recursive: true, force: true });
  }
}

/** Throws a `BackupProblem` when the disk of a folder has not enough room for so many bytes. */
export async function needRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes + SPARE_BYTES) return;
  throw new BackupProblem(
    `There is not enough room in ${folder}: ${megabytes(bytes + SPARE_BYTES)} are needed, and ${megabytes(free)} are free.`,
  );
}

/** `12 MB` */
export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}
