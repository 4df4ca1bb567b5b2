import {
  closeSync,
  createReadStream,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  writeSync,
} from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const syncData = promisify(fdatasync);

/** The file that is being written: lines that each end with a newline, appended only. */
export class Segment {
  readonly name: string;
  /** Bytes in the file. */
  bytes = 0;
  #fd: number;

  /** Creates the file. Throws when it exists: a number is never used twice. */
  constructor(folder: string, number: number, sync: boolean) {
    this.name = segmentName(number);
    this.#fd = openNew(path.join(folder, this.name), folder);
    if (sync) syncFolder(folder);
  }

  /**
   * Appends all of `data`, in several writes if need be. Throws when not all of it can be written; the written part is then
   * cut off again: those lines are reported as dropped, so they must not be counted.
   */
  write(data: Buffer): void {
    try {
      for (let at = 0; at < data.length; ) at += writeSync(this.#fd, data, at, data.length - at);
      this.bytes += data.length;
    } catch (error) {
      this.#cut();
      throw error;
    }
  }

  /** Resolves when everything written so far survives a power cut. */
  sync(): Promise<void> {
    return syncData(this.#fd);
  }

  /** Where truncating fails too, the file keeps whole lines and a torn one. */
  #cut(): void {
    try {
      ftruncateSync(this.#fd, this.bytes);
    } catch {
      this.bytes = fstatSync(this.#fd).size;
    }
  }

  /** Closes the file. An error here says nothing about the lines, so it is ignored. */
  close(): void {
    try {
      closeSync(this.#fd);
    } catch {}
  }
}

/** Ten digits, so that a listing of the folder is in order. */
export function segmentName(number: number): string {
  return `${String(number).padStart(10, '0')}.log`;
}

/** Whether a file in the folder of a journal is a segment. */
export function isSegment(name: string): boolean {
  return /^\d{10}\.log$/.test(name);
}

/** Number → bytes of the segments that an earlier process left, oldest first. Empty ones are deleted. */
export async function abandonedSegments(folder: string): Promise<Map<number, number>> {
  const segments = new Map<number, number>();
  for (const name of (await readdir(folder)).sort()) {
    if (!isSegment(name)) continue;
    const file = path.join(folder, name);
    const { size } = await stat(file);
    if (size === 0) await rm(file);
    else segments.set(Number.parseInt(name, 10), size);
  }
  return segments;
}

function openNew(file: string, folder: string): number {
  try {
    return openSync(file, 'ax', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return openSync(file, 'ax', 0o600);
  }
}

/** Without it a power cut may lose the directory entry of a file whose content is safe. */
function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

const NEWLINE = 0x0a;

/**
 * The lines of a sealed segment, at most `linesPerChunk` at a time. Text after the last newline was cut off by a crash or a
 * full disk and never reported as written: it is skipped with a warning. So is a deleted file, which would otherwise be
 * retried for ever.
 */
export async function* readSegment(
  file: string,
  linesPerChunk: number,
  onWarning: (message: string) => void,
): AsyncGenerator<string[], void, void> {
  let torn: Buffer[] = [];
  let lines: string[] = [];
  try {
    for await (const data of createReadStream(file) as AsyncIterable<Buffer>) {
      const end = data.lastIndexOf(NEWLINE);
      // Cut at a newline before decoding: a chunk may end within a character.
      if (end >= 0) lines = lines.concat(decode([...torn, data.subarray(0, end)]).split('\n'));
      torn = end < 0 ? [...torn, data] : [data.subarray(end + 1)];
      let at = 0;
      for (; lines.length - at >= linesPerChunk; at += linesPerChunk) yield lines.slice(at, at + linesPerChunk);
      lines = lines.slice(at);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    onWarning(`Segment ${path.basename(file)} of the click journal was deleted; its clicks are lost`);
  }
  if (lines.length > 0) yield lines;
  const bytes = torn.reduce((sum, piece) => sum + piece.length, 0);
  if (bytes > 0) onWarning(`Segment ${path.basename(file)} of the click journal ends in a torn line of ${bytes} bytes`);
}

function decode(pieces: Buffer[]): string {
  return Buffer.concat(pieces).toString();
}
