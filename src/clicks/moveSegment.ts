import { appendFile } from 'node:fs/promises';
import { log } from '../kernel/log.ts';
import { yieldToEventLoop } from '../kernel/yield.ts';
import { clickStore } from './chosenStore.ts';
import { type Click, decodeClick, encodeClick } from './click.ts';
import { type IsListening, LATEST_MS } from './clickStore.ts';
import type { Place } from './clickStores.ts';

/** The part of the journal that the drain uses; segments come oldest first. */
export interface Segments {
  seal(): Promise<string[]>;
  read(segment: string, linesPerChunk?: number): AsyncIterable<string[]>;
  remove(segment: string): Promise<void>;
}

/** Lines between two checks of the time. */
const LINES_PER_SLICE = 100;

/** One segment cannot be read; others may be. */
export class UnreadableSegment extends Error {}

/**
 * Moves all clicks of a segment to the store and then deletes it; after a crash in between they are moved again, which
 * changes nothing. Throws `UnreadableSegment`, and the store's errors unless they concern single clicks.
 */
export async function moveSegment(
  segments: Segments,
  segment: string,
  {
    listening,
    middleware,
    rejectedFile,
    yieldNow,
    journal = null,
  }: {
    listening: IsListening;
    middleware: StoreMiddleware;
    rejectedFile: string;
    yieldNow: () => Promise<void>;
    journal?: string | null;
  },
): Promise<void> {
  const reject = async (click: Click, error: unknown) => {
    await appendFile(rejectedFile, `${encodeClick(click)}\n`, { mode: 0o600 });
    log.error(
      { err: error, click: click.id, segment, rejectedFile },
      'the store refuses a click, which is not counted',
    );
  };
  let damaged = 0;
  let end = 0;
  let first: string | null = null;
  const { linesPerChunk } = clickStore();
  // While the store writes a chunk, the next one is read and decoded.
  let storing = Promise.resolve();
  try {
    for await (const lines of readable(segments.read(segment, linesPerChunk), segment)) {
      const { clicks, numbers, outOfTime } = await decoded(lines, end);
      end += lines.length;
      damaged += lines.length - clicks.length - outOfTime.length;
      for (const click of outOfTime) await reject(click, new RangeError(`Not a storable time: ${click.occurredAt}`));
      first ??= clicks[0]?.id ?? null;
      const place = { segment: first ?? '', lines: numbers, end, journal };
      await storing;
      storing = storeOrReject(clicks, place, { listening, middleware }, reject);
      // Its error is thrown by the await above or below; until then it must not count as unhandled.
      storing.catch(() => {});
      await yieldNow();
    }
  } finally {
    await storing;
  }
  if (damaged > 0) log.error({ segment, damaged }, 'lines of the click journal are damaged; their clicks are lost');
  await segments.remove(segment);
}

interface Decoded {
  clicks: Click[];
  /** The number of each click's line in the segment. */
  numbers: number[];
  /** Clicks whose time no store can hold. */
  outOfTime: Click[];
}

/** The clicks of the lines that are not damaged. `before`: the number of lines before these. */
export async function decoded(lines: string[], before: number): Promise<Decoded> {
  const [clicks, numbers, outOfTime]: [Click[], number[], Click[]] = [[], [], []];
  const yieldNow = yieldToEventLoop();
  for (let at = 0; at < lines.length; at += LINES_PER_SLICE) {
    for (const [offset, line] of lines.slice(at, at + LINES_PER_SLICE).entries()) {
      const click = decodeClick(line);
      if (!click) continue;
      if (click.occurredAt < 0 || click.occurredAt > LATEST_MS) {
        outOfTime.push(click);
        continue;
      }
      clicks.push(click);
      numbers.push(before + at + offset);
    }
    await yieldNow();
  }
  return { clicks, numbers, outOfTime };
}

async function* readable(chunks: AsyncIterable<string[]>, segment: string): AsyncGenerator<string[], void, void> {
  const iterator = chunks[Symbol.asyncIterator]();
  for (;;) {
    const next = await iterator.next().catch((error: unknown) => {
      throw new UnreadableSegment(`Segment ${segment} of the click journal cannot be read`, { cause: error });
    });
    if (next.done) return;
    yield next.value;
  }
}

/** Wraps a write to the store: it may pass other clicks on to `store`, and throws the errors of `store`. */
export type StoreMiddleware = (
  clicks: readonly Click[],
  store: (clicks: readonly Click[]) => Promise<number>,
) => Promise<unknown>;

/**
 * Stores clicks. A chunk that fails because of its data is halved until the bad click is alone and passed to `reject`, so that
 * it does not hold up the others. Throws errors of the store itself.
 */
async function storeOrReject(
  clicks: Click[],
  place: Place,
  options: { listening: IsListening; middleware: StoreMiddleware },
  reject: (click: Click, error: unknown) => Promise<void>,
): Promise<void> {
  try {
    await options.middleware(clicks, (given) => clickStore().storeChunk(given, options.listening, place));
  } catch (error) {
    const [first, ...others] = clicks;
    if (first === undefined || !isBadData(error)) throw error;
    if (others.length === 0) return reject(first, error);
    const middle = Math.ceil(clicks.length / 2);
    const end = place.lines[middle] as number;
    const before = { ...place, lines: place.lines.slice(0, middle), end };
    await storeOrReject(clicks.slice(0, middle), before, options, reject);
    await storeOrReject(clicks.slice(middle), { ...place, lines: place.lines.slice(middle) }, options, reject);
  }
}

/** SQLSTATE classes "data exception", "integrity constraint violation" and "program limit exceeded", and SQLite's codes. */
const BAD_DATA = /^(22|23|54)[0-9A-Z]{3}$|^SQLITE_(CONSTRAINT|MISMATCH|RANGE|TOOBIG)/;

/**
 * Whether an error means that the data can never be written. Every other error, also an unknown one, counts as a failure of
 * the store: waiting too long is better than rejecting sound clicks.
 */
function isBadData(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof TypeError) return true;
  if (!(error instanceof Error)) return false;
  const { code, parent } = error as { code?: unknown; parent?: unknown };
  return (typeof code === 'string' && BAD_DATA.test(code)) || (parent !== undefined && isBadData(parent));
}
