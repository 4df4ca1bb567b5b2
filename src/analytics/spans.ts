import { DAY_MS } from '../clicks/periods.ts';
import type { Range } from './readRange.ts';

/** A piece of a bucket: from `from` up to but without `to`. `bucket`: position in the list of buckets. */
export interface Span {
  bucket: number;
  from: number;
  to: number;
}

/** Where to read the figures of buckets: no click is in two spans. */
export interface Spans {
  /** Whole UTC days, counted in days since the epoch: `click_days` has their figures. */
  days: Span[];
  /** In milliseconds, none over the UTC midnight, for visitors are distinct within a UTC day: to be counted click by click. */
  clicks: Span[];
}

/**
 * Cuts buckets into what was counted ahead and what was not. `clicked`: the project's first and last click in
 * milliseconds, null without any. `areDaysCounted`: whether `click_days` can answer the question at all.
 */
export function cutSpans(
  buckets: Range[],
  clicked: { first: number; last: number } | null,
  areDaysCounted: boolean,
): Spans {
  const spans: Spans = { days: [], clicks: [] };
  if (!clicked) return spans;
  for (const [bucket, { start, end }] of buckets.entries()) {
    if (end <= clicked.first || start > clicked.last) continue;
    // Beyond the first and the last click there is nothing to leave out, so a day that is cut off there is a whole one.
    const from = start <= clicked.first ? floorDay(clicked.first) : start;
    const to = end > clicked.last ? floorDay(clicked.last) + DAY_MS : end;
    const [firstDay, endDay] = [Math.ceil(from / DAY_MS), Math.floor(to / DAY_MS)];
    if (areDaysCounted && firstDay < endDay) {
      spans.days.push({ bucket, from: firstDay, to: endDay });
      spans.clicks.push(...withinDays(bucket, from, firstDay * DAY_MS), ...withinDays(bucket, endDay * DAY_MS, to));
    } else {
      spans.clicks.push(...withinDays(bucket, from, to));
    }
  }
  return spans;
}

function withinDays(bucket: number, from: number, to: number): Span[] {
  const spans: Span[] = [];
  for (let at = from; at < to; at = floorDay(at) + DAY_MS) {
    spans.push({ bucket, from: at, to: Math.min(floorDay(at) + DAY_MS, to) });
  }
  return spans;
}

function floorDay(instant: number): number {
  return Math.floor(instant / DAY_MS) * DAY_MS;
}
