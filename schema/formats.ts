import { destinationProblem, webUrlProblem } from '../src/kernel/urls.ts';
import { slugProblem } from '../src/routing/slug.ts';

/** Formats of strings that a pattern cannot say. Each gives null, or a sentence that tells what to do. */
export const FORMATS: Record<string, (value: string) => string | null> = {
  slug: slugProblem,
  destination: destinationProblem,
  uri: webUrlProblem,
  'date-time': (value) =>
    isTime(value) ? null : 'Must be an ISO 8601 time with a zone, such as 2026-12-01T00:00:00.000Z.',
  timezone: (value) => (isTimeZone(value) ? null : 'Must be an IANA time zone such as Europe/Berlin.'),
  host: (value) =>
    /^[a-z0-9.-]{1,253}(:\d{1,5})?$/i.test(value)
      ? null
      : 'Must be a host such as go.example.com, without scheme and path.',
};

const TIME = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

function isTime(value: string): boolean {
  const day = value.slice(0, 10);
  const parsed = new Date(value);
  // new Date() rolls February 30 over into March; the day must come back as it was sent.
  return (
    TIME.test(value) && !Number.isNaN(parsed.getTime()) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
  );
}

function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return !/^[+-]/.test(value);
  } catch {
    return false;
  }
}
