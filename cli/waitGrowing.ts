import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from './context.ts';

const FIRST_GAP_MS = 3000;
const LONGEST_GAP_MS = 60_000;
const GROWTH = 1.5;

/** Goes on in growing gaps until it is done, or Ctrl-C ends it. */
export async function* waitGrowing(context: Context, isDone: () => boolean): AsyncGenerator<void> {
  for (let gapMs = FIRST_GAP_MS; !isDone(); gapMs = Math.min(LONGEST_GAP_MS, gapMs * GROWTH)) {
    await pause(gapMs, undefined, { signal: context.signal });
    yield;
  }
}
