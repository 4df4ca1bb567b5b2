import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { clock } from '../kernel/clock.ts';
import { WarningThrottle } from '../kernel/log.ts';
import { snapshotFile, streamFile, streamsIn } from './readSnapshot.ts';
import { FORMAT, type Line, textOf } from './snapshotLines.ts';

/** Pause between two writes: so often the disk is asked to sync while links change. */
const PAUSE_MS = 100;
const RETRY_MS = 1000;
/** Bytes that wait for a disk that is full or hangs. */
const MOST_WAITING = 8 * 1024 * 1024;

interface Options {
  folder: string;
  /** Of the first file. No stream of it or a later one may exist. */
  generation: number;
  /** Receives a sentence for the operator, about a state that lasts at most one a minute. */
  onWarning: (message: string) => void;
  /** Bytes beyond which nothing more is written, and the snapshot is given up. */
  maxBytes: number;
}

/**
 * The changes after a snapshot: lines in a file that is only appended to, many in one write. Another file begins before another
 * snapshot is read from the store, and the former ones stay until that has its name, so that no change is ever missing.
 */
export class ChangeStream {
  readonly #options: Options;
  readonly #warnings: WarningThrottle;
  #generation: number;
  /** What is to be written to the file of each generation, oldest first. */
  readonly #waiting = new Map<number, string>();
  #handle: { generation: number; file: FileHandle } | null = null;
  /** Bytes written and waiting, by generation. */
  readonly #bytes = new Map<number, number>();
  #writing: Promise<void> | null = null;
  /** The removal of a snapshot that was given up, which must not take the next one. */
  #removing: Promise<void> | null = null;
  #isClosed = false;
  #isGivenUp = false;

  constructor(options: Options) {
    this.#options = options;
    this.#generation = options.generation;
    this.#warnings = new WarningThrottle(options.onWarning);
  }

  /** Bytes of all changes since the last snapshot. */
  get bytes(): number {
    return [...this.#bytes.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Appends lines soon, and at once if none were appended lately. Never throws. */
  append(...lines: Line[]): void {
    if (this.#isClosed || this.#isGivenUp || lines.length === 0) return;
    const generation = this.#generation;
    const isNew = !this.#bytes.has(generation);
    const text = textOf(
      isNew ? [{ start: FORMAT, generation, at: new Date(clock.now()).toISOString() }, ...lines] : lines,
    );
    this.#waiting.set(generation, (this.#waiting.get(generation) ?? '') + text);
    this.#bytes.set(generation, (this.#bytes.get(generation) ?? 0) + text.length);
    if (this.bytes > this.#options.maxBytes || this.#waitingBytes() > MOST_WAITING) this.#giveUp();
    else this.#writing ??= this.#writeAll();
  }

  /** Whether changes since the last snapshot were given up, so that it must not be used. */
  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  /** Begins a snapshot: returns its generation. What is appended from now on is in a stream of this generation. */
  async beginSnapshot(): Promise<number> {
    await this.#removing;
    if (this.#bytes.has(this.#generation) || this.#isGivenUp) this.#generation += 1;
    this.#isGivenUp = false;
    return this.#generation;
  }

  /** Deletes the changes before the snapshot of a generation, which has its name now. */
  async dropBefore(generation: number): Promise<void> {
    for (const known of this.#bytes.keys()) {
      if (known >= generation) continue;
      this.#bytes.delete(known);
      this.#waiting.delete(known);
    }
    await this.#release((open) => open < generation);
    for (const old of await streamsIn(this.#options.folder))
      if (old < generation) await rm(streamFile(this.#options.folder, old), { force: true });
  }

  /** Resolves when everything appended is on disk, or could not be written. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  /** Writes what waits; what is appended later is left out. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.flush();
    await this.#release(() => true);
  }

  #waitingBytes(): number {
    return [...this.#waiting.values()].reduce((sum, text) => sum + text.length, 0);
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const hasWritten = await this.#writeOldest();
      if (this.#isClosed && !hasWritten) break;
      if (!this.#isClosed) await delay(hasWritten ? PAUSE_MS : RETRY_MS);
    }
    this.#writing = null;
  }

  /** Whether it could be written. If not, it is written once more, after the line at which it was torn. */
  async #writeOldest(): Promise<boolean> {
    const [generation, text] = this.#waiting.entries().next().value as [number, string];
    this.#waiting.delete(generation);
    try {
      const file = await this.#fileOf(generation);
      await file.appendFile(text);
      await file.datasync();
      return true;
    } catch (error) {
      // A later snapshot has made it needless.
      if (!this.#bytes.has(generation)) return true;
      this.#warnings.warn('failing', `Changes of links cannot be written: ${(error as Error).message}`);
      this.#putBack(generation, text);
      return false;
    }
  }

  /** The oldest generation comes first, as before. */
  #putBack(generation: number, text: string): void {
    const later = [...this.#waiting];
    this.#waiting.clear();
    this.#waiting.set(generation, `${text.startsWith('\n') ? '' : '\n'}${text}`);
    for (const [other, more] of later) this.#waiting.set(other, (this.#waiting.get(other) ?? '') + more);
  }

  async #fileOf(generation: number): Promise<FileHandle> {
    if (this.#handle?.generation === generation) return this.#handle.file;
    await this.#release(() => true);
    await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
    const file = await open(streamFile(this.#options.folder, generation), 'a', 0o600);
    this.#handle = { generation, file };
    return file;
  }

  async #release(isMeant: (generation: number) => boolean): Promise<void> {
    if (!this.#handle || !isMeant(this.#handle.generation)) return;
    const { file } = this.#handle;
    this.#handle = null;
    await file.close().catch(() => {});
  }

  /** Without its changes a snapshot would bring back links that are gone. The next one begins anew. */
  #giveUp(): void {
    this.#isGivenUp = true;
    this.#waiting.clear();
    this.#bytes.clear();
    this.#options.onWarning(
      'Too many changes of links wait to be written; the snapshot of links is removed until there is a new one',
    );
    this.#removing = this.#removeAll().catch((error: Error) =>
      this.#options.onWarning(`The snapshot of links cannot be removed: ${error.message}`),
    );
  }

  async #removeAll(): Promise<void> {
    const { folder } = this.#options;
    const last = this.#generation;
    await rm(snapshotFile(folder), { force: true });
    for (const old of await streamsIn(folder)) if (old <= last) await rm(streamFile(folder, old), { force: true });
  }
}
