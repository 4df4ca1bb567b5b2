import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;
/** No zone is further from UTC than this, and none changes its clock twice within it. */
const FAR_MS = 24 * 60 * MINUTE_MS;

/** A name may be spelled in many ways (upper and lower case), so there is no end to them. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 200 });

/** What `zone`'s clocks show minus UTC at an instant; both in milliseconds. `zone` is an IANA name. */
export function zoneOffsetMs(zone: string, instant: number): number {
  if (zone === 'UTC') return 0;
  const shown = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(formatOf(zone).format(instant));
  if (!shown) return 0;
  const [, sign, hours, minutes, seconds = '0'] = shown;
  const size = Number(hours) * 3_600_000 + Number(minutes) * MINUTE_MS + Number(seconds) * 1000;
  return sign === '-' ? -size : size;
}

/** What `zone`'s clocks show at an instant, as the milliseconds at which a clock in UTC shows the same. */
export function wallTime(zone: string, instant: number): number {
  return instant + zoneOffsetMs(zone, instant);
}

/**
 * The first instant at which `zone`'s clocks show `wall` (as `wallTime` gives it). If they jump over it, the instant of
 * that jump: where midnight does not exist, the day begins later.
 */
export function instantOf(zone: string, wall: number): number {
  const before = wall - zoneOffsetMs(zone, wall - FAR_MS);
  const after = wall - zoneOffsetMs(zone, wall + FAR_MS);
  const shown = [before, after].filter((instant) => wallTime(zone, instant) === wall);
  return shown.length > 0 ? Math.min(...shown) : firstReaching(zone, wall, after, before);
}

/** Clocks jump on whole minutes. At `low` they show less than `wall`, at `high` more. */
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
