import { closeSync, fdatasync, fstatSync, fsyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const syncData = promisify(fdatasync);

/** The file that is being written: lines, each ended by a newline. Only ever appended to. */
export class Segment {
  readonly name: string;
  /** Bytes in the file. */
  bytes = 0;
  #fd: number;

  /** Makes the file. Throws when it exists: a number is never used twice. */
  constructor(folder: string, number: number, sync: boolean) {
    this.name = segmentName(number);
    this.#fd = openNew(path.join(folder, this.name), folder);
    if (sync) syncFolder(folder);
  }

  /**
   * Appends all of `data`, also when the system takes it piece by piece. Throws when it does not take the whole; what it
   * took is cut off again: those lines are told to be lost, and must not be counted as well.
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

  /** A disk that does not even let a file be shortened keeps whole lines and a torn one. */
  #cut(): void {
    try {
      ftruncateSync(this.#fd, this.bytes);
    } catch {
      this.bytes = fstatSync(this.#fd).size;
    }
  }

  /** Gives the file back; a failure then says nothing about the lines, so it is no failure. */
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

/** Number → bytes of the segments in the folder, oldest first. Empty ones are removed. */
export async function leftSegments(folder: string): Promise<Map<number, number>> {
  const left = new Map<number, number>();
  for (const name of (await readdir(folder)).sort()) {
    if (!/^\d{10}\.log$/.test(name)) continue;
    const file = path.join(folder, name);
    const { size } = await stat(file);
    if (size === 0) await rm(file);
    else left.set(Number.parseInt(name, 10), size);
  }
  return left;
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

/** Without this a power cut may lose the name of a new file whose content is safe. */
function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
