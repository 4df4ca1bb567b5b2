/** Hours are numbered since the epoch, in UTC. */
export const HOUR_MS = 3_600_000;
export const DAY_HOURS = 24;
export const WEEK_HOURS = 168;

/** The counts of successive hours, and what is known of incidents in them. */
export interface Track {
  fromHour: number;
  /** An entry for each hour. */
  counts: Float64Array;
  /** The same with NaN for hours that are no example of usual traffic. */
  known: Float64Array;
  /** The hour since which traffic has had another level that is usual by now; null without such a change. */
  changedHour: number | null;
}

/** `incidents` are those of these counts. Their hours are no example of usual traffic, unless they became usual. */
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

/** Fewer people than usual, more of them, or more bots and scanners. */
export type Direction = 'drop' | 'spike' | 'bot_flood';

/** Successive hours in which traffic is not as usual. */
export interface Incident {
  direction: Direction;
  fromHour: number;
  /** The first hour that is as usual again; null while it lasts. */
  untilHour: number | null;
  /** It lasted so long that its level counts as usual now. */
  isUsualNow: boolean;
}
