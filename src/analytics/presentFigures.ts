import type { AnalyticsEvent } from './Question.ts';
import type { Count } from './Tally.ts';

/**
 * `unique`: the sum of each UTC day's distinct visitors. `values`: sums of money by currency, null for values without one;
 * null where events have no values.
 */
export interface PresentedFigures {
  count: number;
  unique: number;
  values: { currency: string | null; sum: number }[] | null;
}

/** `key`: null for unknown; by time the start of the bucket, in ISO 8601. */
export interface FiguresOfKey extends PresentedFigures {
  key: string | null;
}

/** Events of apps alone have values. */
export function presentFigures({ count, unique, values }: Count, event: AnalyticsEvent): PresentedFigures {
  return { count, unique, values: event === 'app_event' ? (values?.listed() ?? []) : null };
}

/** A row for each bucket, also for those without events. `starts`: of the buckets, in milliseconds. */
export function presentSeries(
  starts: number[],
  cells: [bucket: number, count: Count][],
  event: AnalyticsEvent,
): FiguresOfKey[] {
  const byBucket = new Map(cells);
  return starts.map((start, bucket) => ({
    key: new Date(start).toISOString(),
    ...presentFigures(byBucket.get(bucket) ?? { count: 0, unique: 0 }, event),
  }));
}
