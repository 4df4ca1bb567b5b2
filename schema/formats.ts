import { isIP } from 'node:net';
import { isTimeZone } from '../src/kernel/timeZones.ts';
import { destinationProblem, webUrlProblem } from '../src/kernel/urls.ts';
import { slugProblem } from '../src/routing/slug.ts';
import { APP_FORMATS } from './projects/appFormats.ts';

/** Formats of strings that a pattern cannot say. Each gives null, or a sentence that tells what to do. */
export const FORMATS: Record<string, (value: string) => string | null> = {
  ...APP_FORMATS,
  slug: slugProblem,
  destination: destinationProblem,
  fallback: (value) => (value === 'store' ? null : destinationProblem(value)),
  uri: webUrlProblem,
  ip: (value) => (isIP(value) ? null : 'Must be an IP address.'),
  uuid: (value) => (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ? null : 'Must be a UUID.'),
  'date-time': (value) =>
    isTime(value) ? null : 'Must be an ISO 8601 time with a zone, such as 2026-12-01T00:00:00.000Z.',
  timezone: (value) => (isTimeZone(value) ? null : 'Must be an IANA time zone such as Europe/Berlin.'),
  host: (value) =>
    /^[a-z0-9.-]{1,253}(:\d{1,5})?$/i.test(value)
      ? null
      : 'Must be a host such as go.example.com, without scheme and path.',
};

/** What both stores can hold and ISO 8601 can say in four digits of a year, whatever the zone. */
const FIRST_TIME = Date.UTC(1000, 0, 1);
const LAST_TIME = Date.UTC(9999, 11, 31);
const TIME = /^\d{4}-\d{2}-\d{2}[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

function isTime(value: string): boolean {
  const day = value.slice(0, 10);
  const parsed = Date.parse(value);
  if (!TIME.test(value) || !(parsed >= FIRST_TIME && parsed <= LAST_TIME)) return false;
  // Date.parse() rolls February 30 over into March; the day must come back as it was sent.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}
