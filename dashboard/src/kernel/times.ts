import { language } from './language.ts';
import { readPreference } from './storage.ts';

const DAY_MS = 86_400_000;
const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['second', 1000],
  ['minute', 60_000],
  ['hour', 3_600_000],
];

/** The time zone of figures and dates: the chosen one, else that of the browser. */
export function timezone(): string {
  return readPreference('timezone') ?? browserZone;
}

/** `5 minutes ago` or `in 5 minutes` within a day, else a date. */
export function formatRelative(time: string | Date, now: number): string {
  const date = new Date(time);
  const distance = date.getTime() - now;
  if (Math.abs(distance) >= DAY_MS) return formatDate(date);
  const [unit, size] = STEPS.findLast(([, size]) => Math.abs(distance) >= size) ?? ['second', 1000];
  return relativeFormat.format(Math.trunc(distance / size), unit);
}

/** What is left until a time, such as `9 s` or `2 min 5 s`; rounded up, and never less than nothing. */
export function formatRemaining(time: string | Date, now: number): string {
  return formatDuration(Math.max(0, new Date(time).getTime() - now + 999));
}

/** A length of time in its two largest units, such as `1 hr 5 min`. */
export function formatDuration(ms: number): string {
  const parts = (['day', 'hour', 'minute', 'second'] as const).map((unit) => ({
    unit,
    value: Math.floor((ms % WRAP_MS[unit]) / UNIT_MS[unit]),
  }));
  const first = parts.findIndex(({ value }) => value > 0);
  const shown =
    first < 0 ? parts.slice(-1) : parts.slice(first, first + 2).filter(({ value }, at) => at === 0 || value > 0);
  return shown.map(({ unit, value }) => durationFormats[unit].format(value)).join(' ');
}

const UNIT_MS = { second: 1000, minute: 60_000, hour: 3_600_000, day: DAY_MS } as const;
/** Where a unit is full and the next larger one counts. */
const WRAP_MS = { second: 60_000, minute: 3_600_000, hour: DAY_MS, day: Number.POSITIVE_INFINITY } as const;

/** `7 days`. */
export function formatDays(days: number): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(days);
}

/** `24 Nov, 14:05`, for a time that stands beside others of the same weeks. */
export function formatMoment(time: string | Date): string {
  return momentFormat().format(new Date(time));
}

/** `23 Nov 2026`. */
export function formatDate(time: string | Date): string {
  return dayFormat().format(new Date(time));
}

/** A day of the calendar, such as `2026-11-23`, which is the same in every zone. */
export function formatDay(day: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
}

/** The days from `start` up to but without `end`, such as `10 – 16 Nov 2026`; with the clock where it is about hours. */
export function formatSpan(start: string, end: string, zone = timezone()): string {
  const last = Date.parse(end) - 1;
  const isOfHours = last - Date.parse(start) < 2 * DAY_MS;
  const format = isOfHours ? hoursFormat : dayFormat;
  return format(zone).formatRange(Date.parse(start), isOfHours ? Date.parse(end) : last);
}

/** With seconds and the zone. */
export function formatExactTime(time: string | Date): string {
  return exactTimeFormat().format(new Date(time));
}

/** `14:05:09`, for lists of what has just happened. */
export function formatClock(time: string | Date): string {
  return clockFormat().format(new Date(time));
}

const relativeFormat = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
const durationFormats = {
  day: durationFormat('day'),
  hour: durationFormat('hour'),
  minute: durationFormat('minute'),
  second: durationFormat('second'),
};

/** The time zone of the browser. */
export const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const momentFormat = inZones({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const dayFormat = inZones({ dateStyle: 'medium' });
const hoursFormat = inZones({ dateStyle: 'medium', timeStyle: 'short' });
const exactTimeFormat = inZones({ dateStyle: 'full', timeStyle: 'long' });
const clockFormat = inZones({ timeStyle: 'medium' });

/** A format for each zone in which it is used. To make one takes as long as to use it a hundred times. */
function inZones(options: Intl.DateTimeFormatOptions): (zone?: string) => Intl.DateTimeFormat {
  const made = new Map<string, Intl.DateTimeFormat>();
  return (zone = timezone()) => {
    const format = made.get(zone) ?? new Intl.DateTimeFormat(language, { ...options, timeZone: zone });
    made.set(zone, format);
    return format;
  };
}

function durationFormat(unit: string): Intl.NumberFormat {
  return new Intl.NumberFormat(language, { style: 'unit', unit });
}
