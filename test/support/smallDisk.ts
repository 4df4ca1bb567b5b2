import { execFile } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PIECE = Buffer.alloc(4096);

export interface SmallDisk {
  /** Takes what room is left, to the last page, but for so many bytes. */
  fill(leftBytes?: number): void;
  /** Lets nothing be written, or everything again. */
  setReadOnly(isReadOnly: boolean): Promise<void>;
  makeRoom(): Promise<void>;
  remove(): Promise<void>;
}

/** A disk of its own at `folder`, in memory; null where that is not permitted. */
export async function mountSmallDisk(folder: string, megabytes: number): Promise<SmallDisk | null> {
  await mkdir(folder, { recursive: true });
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', folder]);
  } catch {
    return null;
  }
  const filling = path.join(folder, 'filling');
  return {
    fill(leftBytes = 0) {
      const file = openSync(filling, 'a');
      try {
        for (;;) writeSync(file, PIECE);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        ftruncateSync(file, Math.max(0, fstatSync(file).size - leftBytes));
      } finally {
        closeSync(file);
      }
    },
    async setReadOnly(isReadOnly) {
      await run('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, folder]);
    },
    makeRoom: () => rm(filling, { force: true }),
    async remove() {
      await run('umount', [folder]);
    },
  };
}
