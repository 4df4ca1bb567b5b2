import { strict as assert } from 'node:assert';
import { longestStretchMs } from './loopPause.ts';

/** Processor time that no request may spend at a stretch. What runs at first is compiled then, so the best of some counts. */
const MOST_MS = 50;
const TRIES = 4;
/** Kinds of content that each operation, field or tool gets: all of them have all kinds together. */
const KINDS = 2;

export type Send = () => Promise<unknown>;

/** Fails with every request that holds the thread for too long. */
export async function expectShort(requests: [name: string, send: Send][]): Promise<void> {
  const long: string[] = [];
  for (const [name, send] of requests) {
    let best = Number.POSITIVE_INFINITY;
    for (let at = 0; at < TRIES && best > MOST_MS; at += 1) best = Math.min(best, await longestStretchMs(send));
    if (best > MOST_MS && process.env.SHOW) console.error(name, best);
    if (best > MOST_MS) long.push(`${name}: ${Math.round(best)} ms`);
  }
  assert.deepEqual(long, []);
}

/** Some of the kinds, others for the next row. */
export function someKinds<Kind>(kinds: Record<string, Kind>, nth: number): [string, Kind][] {
  const all = Object.entries(kinds);
  return Array.from({ length: KINDS }, (_, at) => all[(nth * KINDS + at) % all.length] as [string, Kind]);
}
