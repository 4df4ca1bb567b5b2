import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { WarningThrottle } from '../kernel/log.ts';
import { abandonedSegments, readSegment, Segment, segmentName } from './segment.ts';

/** `written`: the line survives this process, with `sync` also a power cut. `dropped`: the click is not counted. */
type AppendOutcome = 'written' | 'dropped';

/** Lines that are written together. They share an outcome, and so a promise. */
interface Batch {
  text: string;
  bytes: number;
  lines: number;
  outcome: Promise<AppendOutcome>;
  resolve(outcome: AppendOutcome): void;
}

function newBatch(): Batch {
  const { promise, resolve } = Promise.withResolvers<AppendOutcome>();
  return { text: '', bytes: 0, lines: 0, outcome: promise, resolve };
}

export interface JournalOptions {
  /** Created if missing. Only one process may use it: another's open segment would be taken for an abandoned one. */
  folder: string;
  /** Limit for all segments together that are not removed yet. */
  maxBytes: number;
  /** Whether a line counts as written only after fdatasync. */
  sync: boolean;
  /** Receives a sentence for the operator; about a state that lasts, at most one a minute. */
  onWarning?: (message: string) => void;
}

const MAX_SEGMENT_BYTES = 16 * 1024 * 1024;
/**
 * Clicks of one transaction of the drain. Each transaction also updates every link that was clicked in it, and popular links
 * are in all of them, so chunks of 500 are half as fast. Larger chunks would keep other writers waiting for over 50 ms.
 */
export const LINES_PER_CHUNK = 2000;
const DROPPED: Promise<AppendOutcome> = Promise.resolve('dropped');

/** Opens the journal in `folder`; segments of an earlier process are sealed. Throws when it cannot write there. */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { folder, sync } = options;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const left = await abandonedSegments(folder);
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
 * The lines of one turn of the event loop are written by writeSync from setImmediate; only fdatasync uses a thread.
 * Measured behind a bare HTTP server that answers 302 (64 connections, lines of 400 bytes, two cores, medians of requests a
 * second): no journal 52,000, this one 47,500, fs.write in the thread pool 41,600, with fdatasync 26,000. While the pool's
 * four threads hash passwords: no journal 20,000, this one 15,000, fs.write 1,600, because each write waits for a thread.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #warnings: WarningThrottle;
  /** Bytes of each sealed segment, oldest first. */
  readonly #sealed = new Map<string, number>();
  #sealedBytes = 0;
  #current: Segment | null;
  #nextNumber: number;
  #gathering: Batch | null = null;
  /** The fdatasync under way, and the outcomes that depend on it. */
  #syncing: Promise<void> | null = null;
  #dropped = 0;
  #closed = false;

  /** `left`: number → bytes of the segments of an earlier process. */
  constructor(options: JournalOptions, left: ReadonlyMap<number, number>, current: Segment, nextNumber: number) {
    this.#options = options;
    this.#warnings = new WarningThrottle(options.onWarning);
    for (const [number, bytes] of left) this.#noteSealed(segmentName(number), bytes);
    this.#current = current;
    this.#nextNumber = nextNumber;
  }

  /** Appends a line without a newline. Resolves when it is written or dropped, never rejects. */
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

  /** Ends the current segment if it is not empty, and returns the names of all sealed segments, oldest first. */
  async seal(): Promise<string[]> {
    if (this.#current !== null && this.#current.bytes > 0) this.#retire(this.#current);
    return [...this.#sealed.keys()];
  }

  /** The lines of a sealed segment in order, at most `linesPerChunk` at a time. Throws when the disk fails. */
  read(segment: string, linesPerChunk = LINES_PER_CHUNK): AsyncIterable<string[]> {
    const warn = (message: string) => this.#options.onWarning?.(message);
    return readSegment(path.join(this.#options.folder, segment), linesPerChunk, warn);
  }

  /** Deletes a sealed segment whose lines are in the store. Idempotent. */
  async remove(segment: string): Promise<void> {
    if (!this.#sealed.has(segment)) return;
    await rm(path.join(this.#options.folder, segment), { force: true });
    this.#sealedBytes -= this.#sealed.get(segment) ?? 0;
    this.#sealed.delete(segment);
  }

  /** Bytes in all segments that are not removed, and of lines about to be written. */
  bytes(): number {
    return this.#sealedBytes + (this.#current?.bytes ?? 0) + (this.#gathering?.bytes ?? 0);
  }

  /** Lines dropped since opening. */
  dropped(): number {
    return this.#dropped;
  }

  /** Writes the gathered lines; later appends are dropped. May be called twice. */
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
      if (this.#options.sync) this.#syncing = this.#resolveWhenSynced(segment, batch);
      else batch.resolve('written');
    } catch (error) {
      this.#fail(batch, error as Error);
    }
    const share = this.bytes() / this.#options.maxBytes;
    if (share > 0.5) this.#warnings.warn('filling', `The click journal is ${Math.floor(share * 100)} % full`);
  }

  async #resolveWhenSynced(segment: Segment, batch: Batch): Promise<void> {
    try {
      await segment.sync();
      batch.resolve('written');
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
   * The next line begins another segment: this file may have reached its size limit, or end in a torn line. An empty segment
   * stays in use: with a full disk every attempt would otherwise create a file.
   */
  #fail(batch: Batch, error: Error): void {
    if (this.#current !== null && this.#current.bytes > 0) this.#retire(this.#current);
    this.#dropped += batch.lines;
    this.#warnings.warn('failing', `Clicks are not counted because the journal cannot be written: ${error.message}`);
    batch.resolve('dropped');
  }

  #refuse(): Promise<AppendOutcome> {
    this.#dropped++;
    if (!this.#closed)
      this.#warnings.warn('full', 'Clicks are not counted because the journal has reached its size limit');
    return DROPPED;
  }

  /** Nothing is written to the segment from now on; its file is closed once a sync under way has ended. */
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
