import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { watchBursts } from '../bursts/watchBursts.ts';
import { startDrain } from '../drain.ts';
import { leftSegments, lookInto, ownerOf } from './journalFolder.ts';

/** No second run: one moves everything, or the store does not accept it. */
const NEVER_MS = 2_147_483_647;

export interface Drained {
  /** Lines that were read. */
  lines: number;
  /** Clicks that are in the store now; some may have been there already. */
  moved: number;
  /** Clicks that the store refuses; they are in rejected.log. */
  rejected: number;
  /** Lines that hold no click. */
  damaged: number;
  /** Bytes that are still in the folder, because the store did not accept them. */
  leftBytes: number;
}

/**
 * Moves the clicks of a journal that no process writes to the store, exactly as its process would have: a click that is there
 * already changes nothing. The caller has made sure that the process is gone.
 */
export async function drainFolder(folder: string, onWarning: (message: string) => void): Promise<Drained> {
  const rejectedFile = path.join(folder, 'rejected.log');
  const rejectedBefore = await linesOf(rejectedFile);
  const left = leftSegments(folder, onWarning);
  const bursts = watchBursts();
  let lines = 0;
  let moved = 0;
  const drain = startDrain({
    folder,
    name: await ownerOf(folder),
    everyMs: NEVER_MS,
    journal: {
      ...left,
      async *read(segment, linesPerChunk) {
        for await (const chunk of left.read(segment, linesPerChunk)) {
          lines += chunk.length;
          yield chunk;
        }
      },
    },
    middleware: async (clicks, store) => {
      await bursts.storing(clicks, store);
      moved += clicks.length;
    },
  });
  try {
    await drain.drainNow();
  } finally {
    await drain.stop();
    await bursts.stop();
  }
  const rejected = (await linesOf(rejectedFile)) - rejectedBefore;
  const { bytes: leftBytes } = await lookInto(folder);
  return { lines, moved, rejected, damaged: leftBytes > 0 ? 0 : lines - moved - rejected, leftBytes };
}

async function linesOf(file: string): Promise<number> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').length - 1;
}
