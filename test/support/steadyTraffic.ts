import type { Click } from '../../src/clicks/click.ts';
import { storeClicks } from '../../src/clicks/clickStore.ts';
import { clock } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import { plainClick } from '../unit/analytics/clickStore.ts';

const HOUR_MS = 3_600_000;
const CHUNK = 2000;

/** Who comes to a link in an hour. */
export interface Visits {
  linkId: string;
  people: number;
  robots?: number;
  /** What these clicks have in common. */
  values?: Partial<Click>;
}

/** Stores the clicks of hours from `fromMs` up to but without `toMs`, spread evenly over each. */
export async function storeHours(
  projectId: string,
  fromMs: number,
  toMs: number,
  visitsOf: (hour: number) => readonly Visits[],
): Promise<void> {
  let clicks: Click[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs += HOUR_MS) {
    for (const visits of visitsOf(Math.floor(atMs / HOUR_MS))) clicks.push(...clicksOf(projectId, atMs, visits));
    if (clicks.length < CHUNK) continue;
    await storeClicks(clicks, { listening: () => false });
    clicks = [];
  }
  await storeClicks(clicks, { listening: () => false });
}

function clicksOf(projectId: string, atMs: number, { linkId, people, robots = 0, values = {} }: Visits): Click[] {
  return Array.from({ length: people + robots }, (_, place) => ({
    ...plainClick(projectId, linkId, atMs + Math.floor((HOUR_MS * place) / (people + robots))),
    id: newId('clk'),
    trafficClass: place < people ? ('human' as const) : ('bot' as const),
    ...values,
  }));
}

/** The last whole hour of product time. */
export function hourMs(): number {
  return Math.floor(clock.now() / HOUR_MS) * HOUR_MS;
}
