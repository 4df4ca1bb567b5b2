import { LRUCache } from 'lru-cache';
import { DAY_MS } from '../kernel/clock.ts';
import { validationFailed } from '../kernel/errors.ts';
import type { Range } from './readRange.ts';

const MOST_BUCKETS = 10_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** An endless series of bucket starts, ascending from at or before the instant; clock changes may make two of them equal. */
type Starts = (zone: string, instant: number) => Generator<number>;

export type Granularity = 'minute' | 'hour' | 'day' | 'week' | 'month';

const STARTS: Record<Granularity, Starts> = {
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
 * The starts of the buckets that cover the range, ascending; the first may lie before it. Hours, days, weeks (from Monday) and
 * months follow the clocks of `zone`. Throws `validation_failed` for more than 10,000 buckets.
 */
export function bucketStarts(range: Range, granularity: string, zone: string): number[] {
  const from = STARTS[granularity as Granularity];
  if (!from) throw new Error(`Unknown granularity: ${granularity}`);
  const starts: number[] = [];
  for (const start of from(zone, range.start)) {
    if (start >= range.end) break;
    if (start <= range.start) starts.length = 0;
    if (start !== starts.at(-1)) starts.push(start);
    if (starts.length > MOST_BUCKETS) throw tooMany(granularity);
  }
  return starts;
}

/** Today's zones differ from UTC by whole minutes. */
function* minuteStarts(_zone: string, instant: number): Generator<number> {
  for (let start = instant - modulo(instant, MINUTE_MS); ; start += MINUTE_MS) yield start;
}

function* hourStarts(zone: string, instant: number): Generator<number> {
  let start = instant - modulo(wallTime(zone, instant), HOUR_MS);
  // If clocks changed by half an hour within this hour, it is shorter: it began with the change.
  const offset = zoneOffsetMs(zone, instant);
  while (start < instant && zoneOffsetMs(zone, start) !== offset) start += MINUTE_MS - modulo(start, MINUTE_MS);
  for (start = Math.min(start, instant); ; start += HOUR_MS - modulo(wallTime(zone, start), HOUR_MS)) yield start;
}

/** `move` sets a day (midnight, read as UTC) to the first day of the period `by` periods after its own. */
function calendarStarts(move: (day: Date, by: number) => void): Starts {
  return function* starts(zone, instant) {
    const wall = wallTime(zone, instant);
    // Starting one period early: clocks that go back past midnight show the day before once more.
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

/** No zone is further from UTC, and none changes its clock twice within this time. */
const FAR_MS = 24 * 60 * MINUTE_MS;

/** Bounded, because a name can be spelled in many ways (upper and lower case). */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 200 });

/** The offset of `zone` (an IANA name) from UTC at an instant, in milliseconds. */
function zoneOffsetMs(zone: string, instant: number): number {
  if (zone === 'UTC') return 0;
  const shown = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(formatOf(zone).format(instant));
  if (!shown) return 0;
  const [, sign, hours, minutes, seconds = '0'] = shown;
  const size = Number(hours) * 3_600_000 + Number(minutes) * MINUTE_MS + Number(seconds) * 1000;
  return sign === '-' ? -size : size;
}

/** The wall time of `zone` at an instant, as the instant at which a clock in UTC shows the same. */
export function wallTime(zone: string, instant: number): number {
  return instant + zoneOffsetMs(zone, instant);
}

/**
 * The first instant at which the clocks of `zone` show `wall` (as returned by `wallTime`). If they skip it, the instant of the
 * jump: where midnight does not exist, the day begins later.
 */
export function instantOf(zone: string, wall: number): number {
  const before = wall - zoneOffsetMs(zone, wall - FAR_MS);
  const after = wall - zoneOffsetMs(zone, wall + FAR_MS);
  const shown = [before, after].filter((instant) => wallTime(zone, instant) === wall);
  return shown.length > 0 ? Math.min(...shown) : firstReaching(zone, wall, after, before);
}

/** The instant of a jump, on a whole minute. At `low` clocks show less than `wall`, at `high` more. */
function firstReaching(zone: string, wall: number, low: number, high: number): number {
  let [from, to] = [Math.floor(low / MINUTE_MS), Math.ceil(high / MINUTE_MS)];
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    if (wallTime(zone, middle * MINUTE_MS) < wall) from = middle;
    else to = middle;
  }
  return to * MINUTE_MS;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    formats.set(zone, format);
  }
  return format;
}
