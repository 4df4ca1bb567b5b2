import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { decodeClick } from '../clicks/click.ts';
import { isSegment, readSegment } from '../clicks/segment.ts';

/** The journal of DATA_DIR, and those that were taken over from it. */
const JOURNALS = /^clicks(\..+)?$/;
const NEWLINE = 0x0a;

/** The journals in DATA_DIR: names of folders. */
async function journalsIn(dataDir: string): Promise<string[]> {
  if (!existsSync(dataDir)) return [];
  return (await readdir(dataDir)).filter((name) => JOURNALS.test(name)).sort();
}

/** Bytes of all clicks that wait in DATA_DIR. */
export async function journalBytes(dataDir: string): Promise<number> {
  let bytes = 0;
  for (const journal of await journalsIn(dataDir)) {
    for (const name of (await readdir(path.join(dataDir, journal))).filter(isSegment)) {
      bytes += await sizeOf(path.join(dataDir, journal, name));
    }
  }
  return bytes;
}

/**
 * Copies the journals of a DATA_DIR whose process may be running, into `folder`. Returns the bytes of clicks copied.
 *
 * Clicks move from the journal to the store, so the journal is copied before the store: a click that moves in between is in
 * both, which its id makes harmless. The other way round it would be in neither.
 */
export async function copyJournals(dataDir: string, folder: string): Promise<number> {
  let bytes = 0;
  for (const journal of await journalsIn(dataDir)) {
    const to = path.join(folder, journal);
    await mkdir(to, { recursive: true, mode: 0o700 });
    for (const name of (await readdir(path.join(dataDir, journal))).sort()) {
      if (isSegment(name)) bytes += await copySegment(path.join(dataDir, journal, name), path.join(to, name));
      if (name === 'rejected.log') await copyFile(path.join(dataDir, journal, name), path.join(to, name));
    }
  }
  return bytes;
}

/** Copies the whole lines of a segment, which may be growing. One that is gone has been moved to the store. */
async function copySegment(from: string, to: string): Promise<number> {
  let kept = 0;
  let read = 0;
  const counting = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      const end = chunk.lastIndexOf(NEWLINE);
      if (end >= 0) kept = read + end + 1;
      read += chunk.length;
      yield chunk;
    }
  };
  try {
    await pipeline(createReadStream(from), counting, createWriteStream(to, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync(from)) return 0;
    throw error;
  }
  // The line that was being written then is in the next backup.
  if (kept === 0) await rm(to);
  else if (kept < read) await truncate(to, kept);
  return kept;
}

async function copyFile(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createWriteStream(to, { flags: 'wx', mode: 0o600 }));
}

/** Counts the clicks of copied journals, and the lines that hold none. */
export async function countClicks(folder: string): Promise<{ clicks: number; damaged: number }> {
  const counted = { clicks: 0, damaged: 0 };
  for (const journal of existsSync(folder) ? await readdir(folder) : []) {
    for (const name of (await readdir(path.join(folder, journal))).filter(isSegment)) {
      for await (const lines of readSegment(path.join(folder, journal, name), 2000, () => (counted.damaged += 1))) {
        for (const line of lines) counted[decodeClick(line) ? 'clicks' : 'damaged'] += 1;
      }
    }
  }
  return counted;
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => null);
  return found?.size ?? 0;
}
