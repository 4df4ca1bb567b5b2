import { MAX_URL_BYTES } from '../kernel/urls.ts';
import { headerSafe, headerSafeFragment, headerSafeUrl } from './headerSafe.ts';
import { parameterName } from './queryString.ts';
import { sharing } from './sharing.ts';

export interface Utm {
  source?: string | null;
  medium?: string | null;
  campaign?: string | null;
  term?: string | null;
  content?: string | null;
}

const UTM_FIELDS = ['source', 'medium', 'campaign', 'term', 'content'] as const;

/** A destination measured once, so that a redirect only glues. */
export interface Target {
  /** The Location for a visitor without parameters: the link's `utm` is in it. */
  url: string;
  /** Where in `url` the path ends. */
  pathEnd: number;
  /** Where its query ends: behind that is the fragment. */
  queryEnd: number;
  /** What stands between the query and a further parameter: `?`, `&` or nothing. */
  separator: string;
  /** Decoded names of its parameters; the visitor's of the same names are not added. */
  names: ReadonlySet<string>;
}

/**
 * Prepares a stored destination, of the web or of an app's scheme, and adds those `utm` parameters that it lacks, as far as
 * they fit into a URL.
 */
export function compileTarget(destination: string, utm: Utm | null): Target {
  const hash = destination.indexOf('#');
  const fragment = hash < 0 ? '' : headerSafeFragment(destination.slice(hash));
  let head = headerSafeUrl(hash < 0 ? destination : destination.slice(0, hash));
  const mark = head.indexOf('?');
  const pathEnd = mark < 0 ? head.length : mark;
  let names = namesIn(mark < 0 ? '' : head.slice(mark + 1));
  for (const [name, value] of utmParameters(utm)) {
    if (names.has(name)) continue;
    const parameter = `${separatorAfter(head)}${name}=${encodeURIComponent(wellFormed(value))}`;
    if (head.length + parameter.length + fragment.length > MAX_URL_BYTES) continue;
    head += parameter;
    names = namesIn(head.slice(pathEnd + 1));
  }
  const whole = head + fragment;
  // Nearly always nothing had to be changed: then the link keeps one copy.
  const url = whole === destination ? destination : whole;
  return { url, pathEnd, queryEnd: head.length, separator: separatorAfter(head), names };
}

/** Decoded. */
function namesIn(query: string): ReadonlySet<string> {
  const pieces = query.split('&').filter((piece) => piece !== '');
  return namedSet(pieces.map((piece) => `${piece.split('=', 1)[0]}=`).join('&'));
}

const namedSet = sharing<string, ReadonlySet<string>>(
  (names) => new Set(names === '' ? [] : names.split('&').map(parameterName)),
);

/**
 * The Location: the target with the visitor's raw `query` (without `?`) and the rest of the `path` (from its `/`).
 * Both are kept as they were sent, but for what would break the header or the fragment. What would make it longer than
 * programs on the way take is left out: visitors get where the link leads.
 */
export function locationOf(target: Target, query: string, path = ''): string {
  const { url, queryEnd, separator } = target;
  const head = path === '' ? url.slice(0, queryEnd) : withPath(target, path);
  const more = query === '' ? '' : newParameters(target, query);
  if (more === '') return head + url.slice(queryEnd);
  const room = MAX_URL_BYTES - head.length - separator.length - (url.length - queryEnd);
  const fitting = fittingParameters(headerSafe(more), room);
  return (fitting === '' ? head : head + separator + fitting) + url.slice(queryEnd);
}

/** Those parameters of a query that fit into `room` bytes, in their order. */
function fittingParameters(query: string, room: number): string {
  if (query.length <= room) return query;
  let fitting = '';
  for (const piece of query.split('&')) {
    const joined = fitting === '' ? piece : `${fitting}&${piece}`;
    if (joined.length <= room) fitting = joined;
  }
  return fitting;
}

function newParameters(target: Target, query: string): string {
  if (target.names.size === 0) return query;
  let more = '';
  for (const piece of query.split('&')) {
    if (piece === '' || target.names.has(parameterName(piece))) continue;
    more += more === '' ? piece : `&${piece}`;
  }
  return more;
}

const DOT_SEGMENT = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i;

/** A path that would climb out of the destination's own is left out. A browser reads `\` as a slash. */
function withPath({ url, pathEnd, queryEnd }: Target, path: string): string {
  const safe = headerSafe(path).replaceAll('\\', '%5C').replaceAll('?', '%3F');
  if (DOT_SEGMENT.test(safe) || url.length + safe.length >= MAX_URL_BYTES) return url.slice(0, queryEnd);
  const before = url.slice(0, pathEnd).replace(/\/$/, '');
  return `${before}${safe.startsWith('/') ? '' : '/'}${safe}${url.slice(pathEnd, queryEnd)}`;
}

function separatorAfter(head: string): string {
  if (!head.includes('?')) return '?';
  return head.endsWith('?') || head.endsWith('&') ? '' : '&';
}

function utmParameters(utm: Utm | null): [string, string][] {
  return UTM_FIELDS.flatMap((field) => {
    const value = utm?.[field];
    return value ? [[`utm_${field}`, value] satisfies [string, string]] : [];
  });
}

/** Half a surrogate pair becomes U+FFFD: encodeURIComponent would throw at it. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
