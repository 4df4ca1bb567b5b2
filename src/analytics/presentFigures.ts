import type { AnalyticsEvent } from './AnalyticsQuery.ts';
import type { Count } from './Tally.ts';

/**
 * `unique`: the sum of each UTC day's distinct visitors. `values`: sums of money by currency, where the currency is null for values
 * without one; null for events that have no values.
 */
export interface PresentedFigures {
  count: number;
  unique: number;
  values: { currency: string | null; sum: number }[] | null;
}

/** `key`: null for unknown; in a series the start of the bucket in ISO 8601. */
export interface KeyFigures extends PresentedFigures {
  key: string | null;
  /** The same key where rows are grouped by link: other keys may look like the id of a link. */
  linkId?: string | null;
}

export function presentFigures({ count, unique, values }: Count, event: AnalyticsEvent): PresentedFigures {
  return { count, unique, values: event === 'app_event' ? (values?.listed() ?? []) : null };
}

/** A row for each bucket, including those without events. `starts` are in milliseconds. */
export function presentSeries(
  starts: number[],
  cells: [bucket: number, count: Count][],
  event: AnalyticsEvent,
): KeyFigures[] {
  const byBucket = new Map(cells);
  return starts.map((start, bucket) => ({
    key: new Date(start).toISOString(),
    ...presentFigures(byBucket.get(bucket) ?? { count: 0, unique: 0 }, event),
  }));
}
