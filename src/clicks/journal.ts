import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type AppendOutcome, type Batch, newBatch } from './batch.ts';
import { OccasionalWarnings } from './occasionalWarnings.ts';
import { readSegment } from './readSegment.ts';
import { leftSegments, Segment, segmentName } from './segment.ts';

export interface JournalOptions {
  /** Made if it is not there. One process alone may use it: another's open segment would be taken for a left one. */
  folder: string;
  /** Bound of all segments together that are not removed yet. */
  maxBytes: number;
  /** Whether a line is written only once fdatasync has run. */
  sync: boolean;
  /** Gets a sentence for the operator; about a state that lasts at most once a minute. */
  onWarning?: (message: string) => void;
}

const MAX_SEGMENT_BYTES = 16 * 1024 * 1024;
/**
 * Clicks that the store is given at once. Each transaction also touches every link that was clicked in it, and popular
 * links are in each: 500 at a time are half as fast. More would keep other writers waiting for longer than some 50 ms.
 */
export const LINES_PER_CHUNK = 2000;
const DROPPED: Promise<AppendOutcome> = Promise.resolve('dropped');

/** Opens the journal in `folder`; what an earlier process left there is sealed. Throws when it cannot write there. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { folder, sync } = options;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const left = await leftSegments(folder);
    const number = Math.max(0, ...left.keys()) + 1;
    return new Journal(options, left, new Segment(folder, number, sync), number + 1);
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`The click journal cannot be kept in ${folder}: ${message}`, { cause: error });
  }
}

/**
 * An append-only journal: lines in numbered files (segments), many lines in one write.
 *
 * What a turn of the event loop gathers is written by writeSync from setImmediate; only fdatasync goes to a thread.
 * Tried out behind a bare http server that answers 302 (64 connections, lines of 400 bytes, two cores, medians):
 * no journal 52,000 a second, this 47,500, fs.write in the thread pool 41,600, with fdatasync 26,000. While the pool's
 * four threads hash passwords: no journal 20,000, this 15,000, fs.write 1,600, as each write waits for a thread.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #warnings: OccasionalWarnings;
  /** Bytes of each sealed segment, oldest first. */
  readonly #sealed = new Map<string, number>();
  #sealedBytes = 0;
  #current: Segment | null;
  #nextNumber: number;
  #gathering: Batch | null = null;
  /** The fdatasync under way, and what follows from it. */
  #syncing: Promise<void> | null = null;
  #dropped = 0;
  #closed = false;

  /** `left`: number → bytes of the segments of an earlier process. */
  constructor(options: JournalOptions, left: ReadonlyMap<number, number>, current: Segment, nextNumber: number) {
    this.#options = options;
    this.#warnings = new OccasionalWarnings(options.onWarning);
    for (const [number, bytes] of left) this.#noteSealed(segmentName(number), bytes);
    this.#current = current;
    this.#nextNumber = nextNumber;
  }

  /** Adds a line, without a newline in it. Resolves when it is written or dropped, never rejects. */
  append(line: string): Promise<AppendOutcome> {
    const bytes = Buffer.byteLength(line) + 1;
    if (this.#closed || this.bytes() + bytes > this.#options.maxBytes) return this.#refuse();
    if (this.#gathering === null) {
      this.#gathering = newBatch();
      setImmediate(() => this.#flush());
    }
    const batch = this.#gathering;
    batch.text += `${line}\n`;
    batch.bytes += bytes;
    batch.lines++;
    return batch.outcome;
  }

  /** Ends the current segment, if anything is in it, and names all segments that wait for removal, oldest first. */
  async seal(): Promise<string[]> {
    if (this.#current !== null && this.#current.bytes > 0) this.#retire(this.#current);
    return [...this.#sealed.keys()];
  }

  /** The lines of a sealed segment in their order, at most `linesPerChunk` at a time. Throws when the disk fails. */
  read(segment: string, linesPerChunk = LINES_PER_CHUNK): AsyncIterable<string[]> {
    const warn = (message: string) => this.#options.onWarning?.(message);
    return readSegment(path.join(this.#options.folder, segment), linesPerChunk, warn);
  }

  /** Forgets a sealed segment whose lines have arrived; once more does nothing. */
  async remove(segment: string): Promise<void> {
    if (!this.#sealed.has(segment)) return;
    await rm(path.join(this.#options.folder, segment), { force: true });
    this.#sealedBytes -= this.#sealed.get(segment) ?? 0;
    this.#sealed.delete(segment);
  }

  /** Bytes in all segments that are not removed, with those about to be written. */
  bytes(): number {
    return this.#sealedBytes + (this.#current?.bytes ?? 0) + (this.#gathering?.bytes ?? 0);
  }

  /** Lines dropped since opening. */
  dropped(): number {
    return this.#dropped;
  }

  /** Writes what is gathered; later appends are dropped. May be called twice. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#gathering !== null || this.#syncing !== null) {
      this.#flush();
      await this.#syncing;
    }
    this.#current?.close();
    this.#current = null;
  }

  #flush(): void {
    const batch = this.#gathering;
    if (batch === null || this.#syncing !== null) return;
    this.#gathering = null;
    try {
      const segment = this.#segmentWithRoom();
      segment.write(Buffer.from(batch.text));
      if (this.#options.sync) this.#syncing = this.#settleWhenSynced(segment, batch);
      else batch.settle('written');
    } catch (error) {
      this.#fail(batch, error as Error);
    }
    const share = this.bytes() / this.#options.maxBytes;
    if (share > 0.5) this.#warnings.warn('filling', `The click journal is ${Math.floor(share * 100)} % full`);
  }

  async #settleWhenSynced(segment: Segment, batch: Batch): Promise<void> {
    try {
      await segment.sync();
      batch.settle('written');
    } catch (error) {
      this.#fail(batch, error as Error);
    }
    this.#syncing = null;
    this.#flush();
  }

  #segmentWithRoom(): Segment {
    if (this.#current !== null && this.#current.bytes >= MAX_SEGMENT_BYTES) this.#retire(this.#current);
    this.#current ??= new Segment(this.#options.folder, this.#nextNumber++, this.#options.sync);
    return this.#current;
  }

  /**
   * The file may have reached what it may hold, or end in a torn line, so the next line begins another. An empty segment
   * stays: a full disk would otherwise gain a file with every attempt.
   */
  #fail(batch: Batch, error: Error): void {
    if (this.#current !== null && this.#current.bytes > 0) this.#retire(this.#current);
    this.#dropped += batch.lines;
    this.#warnings.warn('failing', `Clicks are not counted, the journal cannot be written: ${error.message}`);
    batch.settle('dropped');
  }

  #refuse(): Promise<AppendOutcome> {
    this.#dropped++;
    if (!this.#closed) this.#warnings.warn('full', 'Clicks are not counted, the journal has reached its bound');
    return DROPPED;
  }

  /** Nothing is written to it from now on; its file is given back when a sync that is under way has ended. */
  #retire(segment: Segment): void {
    this.#current = null;
    this.#noteSealed(segment.name, segment.bytes);
    if (this.#syncing === null) segment.close();
    else void this.#syncing.then(() => segment.close());
  }

  #noteSealed(name: string, bytes: number): void {
    this.#sealed.set(name, bytes);
    this.#sealedBytes += bytes;
  }
}
