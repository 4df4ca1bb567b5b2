import { DAY_MS } from '../kernel/durations.ts';
import { validationFailed } from '../kernel/errors.ts';
import type { Range } from './readRange.ts';
import { instantOf, wallTime, zoneOffsetMs } from './zoneTime.ts';

const MOST_BUCKETS = 10_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Gives bucket starts without end, ascending, the first at or before the instant; clocks may make two of them equal. */
type Starts = (zone: string, instant: number) => Generator<number>;

const STARTS: Record<string, Starts> = {
  minute: minuteStarts,
  hour: hourStarts,
  day: calendarStarts((day, by) => day.setUTCDate(day.getUTCDate() + by)),
  week: calendarStarts((day, by) => day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7) + 7 * by)),
  month: calendarStarts((day, by) => day.setUTCMonth(day.getUTCMonth() + by, 1)),
};

/** As many buckets as a chart can show: minutes up to two hours, hours up to two days, days up to 100, then months. */
export function defaultGranularity({ start, end }: Range): string {
  const days = (end - start) / DAY_MS;
  if (days <= 2 / 24) return 'minute';
  if (days <= 2) return 'hour';
  return days <= 100 ? 'day' : 'month';
}

/**
 * Starts of the buckets that cover the range, ascending; the first may lie before it. Hours, days, weeks (from Monday)
 * and months are those of `zone`'s clocks. Throws `validation_failed` for more than 10,000.
 */
export function bucketStarts(range: Range, granularity: string, zone: string): number[] {
  const from = STARTS[granularity];
  if (!from) throw new Error(`No such granularity: ${granularity}`);
  const starts: number[] = [];
  for (const start of from(zone, range.start)) {
    if (start >= range.end) break;
    if (start <= range.start) starts.length = 0;
    if (start !== starts.at(-1)) starts.push(start);
    if (starts.length > MOST_BUCKETS) throw tooMany(granularity);
  }
  return starts;
}

/** Zones differ from UTC by whole minutes for as long as there have been clicks. */
function* minuteStarts(_zone: string, instant: number): Generator<number> {
  for (let start = instant - modulo(instant, MINUTE_MS); ; start += MINUTE_MS) yield start;
}

function* hourStarts(zone: string, instant: number): Generator<number> {
  let start = instant - modulo(wallTime(zone, instant), HOUR_MS);
  // Where clocks changed by half an hour since then, this hour is shorter: it began with the change.
  const offset = zoneOffsetMs(zone, instant);
  while (start < instant && zoneOffsetMs(zone, start) !== offset) start += MINUTE_MS - modulo(start, MINUTE_MS);
  for (start = Math.min(start, instant); ; start += HOUR_MS - modulo(wallTime(zone, start), HOUR_MS)) yield start;
}

/** `move` brings a day (midnight, read as UTC) to the first day of the period that is `by` after its own. */
function calendarStarts(move: (day: Date, by: number) => void): Starts {
  return function* starts(zone, instant) {
    const wall = wallTime(zone, instant);
    // One period early: clocks that fall back over midnight show the day before once more.
    for (let by = -1; ; by += 1) {
      const day = new Date(wall - modulo(wall, DAY_MS));
      move(day, by);
      yield instantOf(zone, day.getTime());
    }
  };
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}

function tooMany(granularity: string): Error {
  const message = `There are more than 10,000 buckets of a ${granularity}: choose a coarser one or a shorter range.`;
  return validationFailed([{ path: 'granularity', message }]);
}
