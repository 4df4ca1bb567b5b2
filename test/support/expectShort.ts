import { strict as assert } from 'node:assert';
import { longestStretchMs } from './loopPause.ts';

/** Processor time that no request may spend at a stretch. What runs at first is compiled then, so the best of some counts. */
const MOST_MS = 50;
/** What `reference` takes where those are meant: two cores of an AMD EPYC, with nothing else to do. */
const REFERENCE_MS = 20;
const TRIES = 8;
/** Kinds of content that each operation, field or tool gets: all of them have all kinds together. */
const KINDS = 2;

export type Send = () => Promise<unknown>;

/** An HTTP answer, as far as it is checked. */
interface Answer {
  status: number;
  body: string;
}

/** Fails with every request that holds the thread for too long, and with every one whose answer has a `faultOf`. */
export async function expectShort(
  requests: [name: string, send: Send][],
  faultOf: (answer: Answer) => string | null = serverFault,
): Promise<void> {
  const faults: string[] = [];
  for (const [name, send] of requests) {
    let best = Number.POSITIVE_INFINITY;
    let fault: string | null = null;
    for (let at = 0; at < TRIES && best > MOST_MS; at += 1) {
      const ms = await longestStretchMs(async () => {
        const answer = (await send()) as Answer | undefined;
        fault ??= answer ? faultOf(answer) : null;
      });
      // A machine whose cores do half as much may take twice as long.
      best = Math.min(best, ms > MOST_MS ? ms / Math.max(1, (await longestStretchMs(reference)) / REFERENCE_MS) : ms);
    }
    if (best > MOST_MS) faults.push(`${name}: ${Math.round(best)} ms`);
    if (fault !== null) faults.push(`${name}: ${fault}`);
  }
  assert.deepEqual(faults, []);
}

/** Work as that of a large request: a text of a megabyte is parsed and written. */
async function reference(): Promise<void> {
  for (let round = 0; round < 5; round += 1) JSON.stringify(JSON.parse(REFERENCE_TEXT));
}

const REFERENCE_TEXT = JSON.stringify(
  Array.from({ length: 12_000 }, (_, at) => ({
    url: `https://example.com/${at}`,
    tags: [`tag${at}`, 'b'],
    title: null,
  })),
);

/** What no request may be answered, however large it is: an error of ours, or none at all. */
export function serverFault({ status, body }: Answer): string | null {
  const isOurs = !(status >= 200 && status < 500) || /"internal_error"|INTERNAL_SERVER_ERROR/.test(body);
  return isOurs ? `answers ${status} ${body.slice(0, 300)}` : null;
}

/** Some of the kinds, others for the next row. */
export function someKinds<Kind>(kinds: Record<string, Kind>, nth: number): [string, Kind][] {
  const all = Object.entries(kinds);
  return Array.from({ length: KINDS }, (_, at) => all[(nth * KINDS + at) % all.length] as [string, Kind]);
}
