import { DAY_MS, QUARTER_MS } from '../clicks/periods.ts';
import { validationFailed } from '../kernel/errors.ts';
import type { Range } from './range.ts';
import { instantOf, wallTime, zoneOffsetMs } from './zoneTime.ts';

const MOST_BUCKETS = 10_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface Stepper {
  /** Start of the bucket in which an instant is, or of an earlier one. */
  first(zone: string, instant: number): number;
  /** Start of the bucket after the one that starts there; where clocks jump over a whole bucket, the same instant. */
  next(zone: string, start: number): number;
}

const STEPPERS: Record<string, Stepper> = {
  minute: {
    first: (_zone, instant) => instant - modulo(instant, MINUTE_MS),
    next: (_zone, start) => start + MINUTE_MS,
  },
  hour: {
    first: hourStart,
    next: (zone, start) => start + HOUR_MS - modulo(wallTime(zone, start), HOUR_MS),
  },
  day: calendarStepper((year, month, day, by) => Date.UTC(year, month, day + by)),
  week: calendarStepper((year, month, day, by) => {
    const sinceMonday = (new Date(Date.UTC(year, month, day)).getUTCDay() + 6) % 7;
    return Date.UTC(year, month, day - sinceMonday + 7 * by);
  }),
  month: calendarStepper((year, month, _day, by) => Date.UTC(year, month + by, 1)),
};

/** Buckets are as many as a chart can show: `minute` up to two hours, then `hour`, `day`, and `month` for years. */
export function defaultGranularity({ start, end }: Range): string {
  const days = (end - start) / DAY_MS;
  if (days <= 2 / 24) return 'minute';
  if (days <= 2) return 'hour';
  return days <= 100 ? 'day' : 'month';
}

/**
 * Starts of the buckets that cover the range, ascending; the first may lie before it. Days, weeks (from Monday) and
 * months are those of `zone`'s calendar. Throws `validation_failed` for more than 10,000.
 */
export function bucketStarts(range: Range, granularity: string, zone: string): number[] {
  const stepper = STEPPERS[granularity];
  if (!stepper) throw new Error(`No such granularity: ${granularity}`);
  const starts: number[] = [];
  for (let start = stepper.first(zone, range.start); start < range.end; start = stepper.next(zone, start)) {
    if (start <= range.start) starts.length = 0;
    starts.push(start);
    if (starts.length > MOST_BUCKETS) throw tooMany(granularity);
  }
  return starts;
}
