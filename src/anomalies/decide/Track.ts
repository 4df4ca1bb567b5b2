import type { Incident } from './Incident.ts';

/** Hours are numbered since the epoch, in UTC. */
export const HOUR_MS = 3_600_000;

/** Counts of hours one after another, with what is known of incidents in them. */
export interface Track {
  fromHour: number;
  /** What was counted, an entry for each hour. */
  counts: Float64Array;
  /** The same without hours that say nothing of what is usual: NaN. */
  known: Float64Array;
  /** The hour since which there has been another level, which is the usual one by now; null: there was no such change. */
  changedHour: number | null;
}

/** `incidents` of these counts; hours of one are no example of what is usual, unless it has become that. */
export function makeTrack(fromHour: number, counts: ArrayLike<number>, incidents: readonly Incident[]): Track {
  const own = Float64Array.from(counts);
  const known = own.slice();
  const born = own.findIndex((count) => count > 0);
  known.fill(Number.NaN, 0, born < 0 ? known.length : born);
  let changedHour: number | null = null;
  for (const { fromHour: from, untilHour, isUsualNow } of incidents) {
    if (isUsualNow) changedHour = Math.max(changedHour ?? from, from);
    else known.fill(Number.NaN, Math.max(0, from - fromHour), Math.max(0, (untilHour ?? Infinity) - fromHour));
  }
  return { fromHour, counts: own, known, changedHour };
}

export function countAt({ fromHour, counts }: Track, hour: number): number {
  return counts[hour - fromHour] ?? 0;
}
