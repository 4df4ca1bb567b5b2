import { appendFile } from 'node:fs/promises';
import { log } from '../kernel/log.ts';
import { sliced } from '../kernel/sliced.ts';
import { type Click, decodeClick, encodeClick } from './click.ts';
import type { Listening } from './insertClicks.ts';
import { type Storing, storeOrReject } from './storeOrReject.ts';

/** What the drain needs of the journal; segments come oldest first. */
export interface Segments {
  seal(): Promise<string[]>;
  read(segment: string): AsyncIterable<string[]>;
  remove(segment: string): Promise<void>;
}

/** Lines between two looks at the time. */
const PIECE = 100;

/** A segment cannot be read; the others can. */
export class UnreadableSegment extends Error {}

/**
 * Moves all clicks of a segment to the store and then removes it: a crash before that only moves them again. Throws
 * `UnreadableSegment`, and whatever keeps the store from taking clicks.
 */
export async function moveSegment(
  segments: Segments,
  segment: string,
  {
    listening,
    storing,
    rejectedFile,
    giveWay,
  }: { listening: Listening; storing: Storing; rejectedFile: string; giveWay: () => Promise<void> },
): Promise<void> {
  const reject = async (click: Click, error: unknown) => {
    await appendFile(rejectedFile, `${encodeClick(click)}\n`, { mode: 0o600 });
    log.error({ err: error, click: click.id, segment, rejectedFile }, 'the store refuses a click; it is not counted');
  };
  let damaged = 0;
  for await (const lines of readable(segments.read(segment), segment)) {
    const clicks = await decoded(lines);
    damaged += lines.length - clicks.length;
    await storeOrReject(clicks, { listening, storing }, reject);
    await giveWay();
  }
  if (damaged > 0) log.error({ segment, damaged }, 'lines of the click journal are damaged; those clicks are lost');
  await segments.remove(segment);
}

/** Clicks of the lines that are not damaged. Little by little: redirects are answered in between. */
async function decoded(lines: string[]): Promise<Click[]> {
  const clicks: Click[] = [];
  const giveWay = sliced();
  for (let at = 0; at < lines.length; at += PIECE) {
    for (const line of lines.slice(at, at + PIECE)) {
      const click = decodeClick(line);
      if (click) clicks.push(click);
    }
    await giveWay();
  }
  return clicks;
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
