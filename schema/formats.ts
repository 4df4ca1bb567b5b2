import { isIP } from 'node:net';
import { isTimeZone } from '../src/kernel/clock.ts';
import { destinationProblem, webUrlProblem } from '../src/kernel/urls.ts';
import { languageProblem, referrerHostProblem } from '../src/routing/conditionValues.ts';
import { countryProblem } from '../src/routing/countries.ts';
import { slugProblem } from '../src/routing/slug.ts';
import { APP_FORMATS } from './projects/appRules.ts';

/** A string format: its pattern for OpenAPI, and its error messages for people. */
export interface Format {
  /** Every valid string matches it. Third-party generators and validators know patterns, but not our formats. */
  pattern: string;
  /** Null, or a sentence that says what to do. Stricter than the pattern. */
  problem(value: string): string | null;
}

/** The rest of a URL after its scheme: no control characters and no spaces. */
const VISIBLE = '[^\\x00-\\x20\\x7f]+';
const DESTINATION = `[A-Za-z][A-Za-z0-9+.-]{2,}:${VISIBLE}`;
const HOST = '^[A-Za-z0-9.-]{1,253}(:\\d{1,5})?$';
const UUID = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$';
const TIME = '^\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?([Zz]|[+-]\\d\\d:\\d\\d)$';
const SLUG = '^(?!\\.well-known(/|$))(?!(.*/)?\\.{1,2}(/|$))[A-Za-z0-9_.~-]+(/[A-Za-z0-9_.~-]+)*$';

/** The formats of rules and responses, by name. */
export const FORMATS: Record<string, Format> = {
  ...APP_FORMATS,
  slug: { pattern: SLUG, problem: slugProblem },
  destination: { pattern: `^${DESTINATION}$`, problem: destinationProblem },
  fallback: { pattern: `^(store|${DESTINATION})$`, problem: fallbackProblem },
  uri: { pattern: `^[Hh][Tt][Tt][Pp][Ss]?://${VISIBLE}$`, problem: webUrlProblem },
  ip: {
    pattern: '^[0-9A-Fa-f:.]{2,45}(%.+)?$',
    problem: (value) => (isIP(value) ? null : 'Must be an IP address.'),
  },
  uuid: formed(UUID, 'Must be a UUID.'),
  'date-time': { pattern: TIME, problem: timeProblem },
  timezone: {
    pattern: '^[A-Za-z][A-Za-z0-9_+/-]*$',
    problem: (value) => (isTimeZone(value) ? null : 'Must be an IANA time zone such as Europe/Berlin.'),
  },
  country: { pattern: '^\\s*[A-Za-z]{2}\\s*$', problem: countryProblem },
  language: { pattern: '^\\s*[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*\\s*$', problem: languageProblem },
  referrer_host: { pattern: '^\\s*[^.*\\s]\\S*\\s*$', problem: referrerHostProblem },
  host: formed(HOST, 'Must be a host such as go.example.com, without scheme and path.'),
};

/** A format that its pattern defines completely. */
function formed(pattern: string, message: string): Format {
  const form = new RegExp(pattern);
  return { pattern, problem: (value) => (form.test(value) ? null : message) };
}

function fallbackProblem(value: string): string | null {
  if (value === 'store') return null;
  if (/^(app|play)?[ _-]?store$/i.test(value)) return 'Write "store" for the store of the platform, or give a URL.';
  const problem = destinationProblem(value);
  return problem && `Must be "store" or a URL. ${problem}`;
}

const NO_TIME = 'Must be an ISO 8601 time with a zone, such as 2026-12-01T00:00:00.000Z.';

function timeProblem(value: string): string | null {
  if (isTime(value)) return null;
  // Seconds or milliseconds since 1970, as other APIs use.
  const unix = /^\d{10}$/.test(value) ? Number(value) * 1000 : /^\d{13}$/.test(value) ? Number(value) : null;
  return unix === null ? NO_TIME : `${NO_TIME} In this format ${value} is ${new Date(unix).toISOString()}.`;
}

/** The range that both stores can hold and that ISO 8601 can write with a four-digit year in any time zone. */
const FIRST_TIME = Date.UTC(1000, 0, 1);
const LAST_TIME = Date.UTC(9999, 11, 31);
const TIME_FORM = new RegExp(TIME);

function isTime(value: string): boolean {
  const day = value.slice(0, 10);
  const parsed = Date.parse(value);
  // Date.parse() also accepts 24:00.
  if (!TIME_FORM.test(value) || value.slice(11, 13) > '23' || !(parsed >= FIRST_TIME && parsed <= LAST_TIME))
    return false;
  // Date.parse() turns February 30 into a day in March; the day must stay the same.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}
