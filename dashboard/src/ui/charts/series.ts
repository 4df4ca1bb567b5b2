import { wallTime } from '../../kernel/zones.ts';

export type Granularity = 'minute' | 'hour' | 'day' | 'week' | 'month';

export interface SeriesPoint {
  /** The start of the bucket. */
  at: string;
  value: number;
}

/** From `from` up to but without `to`. */
export interface Span {
  from: string;
  to: string;
}

/** Figures over time, one for each bucket. */
export interface Series {
  granularity: Granularity;
  /** IANA name of the zone whose days and hours these are. */
  timezone: string;
  points: readonly SeriesPoint[];
  /** The end of the last bucket, exclusive. */
  end: string;
  /** The period before, compared bucket by bucket; null: nothing to compare. */
  before: readonly SeriesPoint[] | null;
  /** What an alert is about. */
  mark: Span | null;
  /** Whether the first bucket begins before the range. */
  isFirstPartial: boolean;
  /** Whether the last bucket is still going on. */
  isLastPartial: boolean;
}

/** The clock at a point, as the instant at which a clock in UTC shows the same. */
export function wallOf({ timezone }: Pick<Series, 'timezone'>, at: string): number {
  return wallTime(timezone, Date.parse(at));
}

/** From the start of one bucket to the end of another, in either order. */
export function spanOf({ points, end }: Series, one: number, other: number): Span {
  const [first, last] = [Math.min(one, other), Math.max(one, other)];
  return { from: points[first]?.at ?? end, to: points[last + 1]?.at ?? end };
}

/** Whether the figure of a bucket is of a part of it only. */
export function isPartial({ points, isFirstPartial, isLastPartial }: Series, index: number): boolean {
  return (index === 0 && isFirstPartial) || (index === points.length - 1 && isLastPartial);
}
