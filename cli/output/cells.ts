import { oneLine } from './width.ts';

/** A row of a list, or a record. */
export type Row = Record<string, unknown>;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Older than this is a date: "400d ago" says less. */
const DATE_FROM = 90 * DAY;

/** The value at a path of names: `counts.created`. */
export function valueAt(row: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Row | null | undefined)?.[name], row);
}

/** The value as one line, whole, for programs: null is empty, lists of texts have commas, all else is JSON. */
export function plainCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return oneLine(value.join(','));
  return typeof value === 'object' ? JSON.stringify(value) : oneLine(String(value));
}

/** The value as people read it: times as distances from now. */
export function shownCell(value: unknown, now = Date.now()): string {
  if (typeof value === 'string' && TIME.test(value)) return relativeTime(value, now);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return plainCell(value);
}

/** `3m ago`, `in 2d`, and the date of what is far away. */
export function relativeTime(time: string, now = Date.now()): string {
  const seconds = Math.round((now - Date.parse(time)) / 1000);
  const distance = Math.abs(seconds);
  if (distance > DATE_FROM) return time.slice(0, 10);
  const [size, unit] =
    distance < MINUTE ? [1, 's'] : distance < HOUR ? [MINUTE, 'm'] : distance < DAY ? [HOUR, 'h'] : [DAY, 'd'];
  const text = `${Math.floor(distance / (size as number))}${unit}`;
  return seconds >= 0 ? `${text} ago` : `in ${text}`;
}
