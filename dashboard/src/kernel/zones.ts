const MINUTE_MS = 60_000;

/** No zone is further from UTC, and none changes its clock twice within this time. */
const FAR_MS = 86_400_000;

/** The clock of `zone` at an instant, as the instant at which a clock in UTC shows the same. */
export function wallTime(zone: string, instant: number): number {
  return instant + offsetMs(zone, instant);
}

/** The first instant at which the clocks of `zone` show `wall`; where they skip it, the end of the jump. */
export function instantOf(zone: string, wall: number): number {
  const before = wall - offsetMs(zone, wall - FAR_MS);
  const after = wall - offsetMs(zone, wall + FAR_MS);
  const shown = [before, after].filter((instant) => wallTime(zone, instant) === wall);
  return shown.length > 0 ? Math.min(...shown) : Math.max(before, after);
}

/** `2026-11-24`, the day that it is in `zone`. */
export function dayIn(zone: string, instant: number): string {
  return new Date(wallTime(zone, instant)).toISOString().slice(0, 10);
}

/** When a day such as `2026-11-24` begins in `zone`. NaN for what is no day. */
export function startOfDay(zone: string, day: string): number {
  const wall = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(wall) ? wall : instantOf(zone, wall);
}

export function isZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

function offsetMs(zone: string, instant: number): number {
  const shown = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(formatOf(zone).format(instant));
  if (!shown) return 0;
  const [, sign, hours, minutes, seconds = '0'] = shown;
  const size = Number(hours) * 3_600_000 + Number(minutes) * MINUTE_MS + Number(seconds) * 1000;
  return sign === '-' ? -size : size;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    formats.set(zone, format);
  }
  return format;
}
