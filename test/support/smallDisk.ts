import { execFile } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PIECE = Buffer.alloc(4096);

export interface SmallDisk {
  /** Takes what room is left, to the last page. */
  fill(): void;
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
    fill() {
      const file = openSync(filling, 'a');
      try {
        for (;;) writeSync(file, PIECE);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    makeRoom: () => rm(filling, { force: true }),
    async remove() {
      await run('umount', [folder]);
    },
  };
}
