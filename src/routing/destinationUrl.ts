import { MAX_URL_BYTES } from '../kernel/urls.ts';
import { interning } from './intern.ts';
import { headerSafe, headerSafeFragment, headerSafeUrl, parameterName } from './urlEncoding.ts';
import { UTM_FIELDS, type Utm } from './utm.ts';

/** A destination with its offsets computed once, so that a redirect only concatenates. */
export interface Target {
  /** The Location for a visitor without query parameters, with the link's `utm`. */
  url: string;
  /** Offset in `url` where the path ends. */
  pathEnd: number;
  /** Offset where the query ends and the fragment starts. */
  queryEnd: number;
  /** What joins the query and a further parameter: `?`, `&` or nothing. */
  separator: string;
  /** Decoded names of its parameters; a visitor's parameters with these names are not added. */
  names: ReadonlySet<string>;
}

/**
 * Prepares a stored destination, of the web or an app's scheme, and adds those `utm` parameters that it lacks, as long as
 * the URL has room for them.
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
  // Usually nothing has changed: then the link keeps a single copy.
  const url = whole === destination ? destination : whole;
  return { url, pathEnd, queryEnd: head.length, separator: separatorAfter(head), names };
}

/** The decoded names of the parameters of a query. */
function namesIn(query: string): ReadonlySet<string> {
  const pieces = query.split('&').filter((piece) => piece !== '');
  return namedSet(pieces.map((piece) => `${piece.split('=', 1)[0]}=`).join('&'));
}

const namedSet = interning<string, ReadonlySet<string>>(
  (names) => new Set(names === '' ? [] : names.split('&').map(parameterName)),
);

/**
 * Builds the Location: the target with the visitor's raw `query` (without `?`) and the rest of the `path` (starting with
 * `/`). Both stay as they were sent, except for characters that would break the header or the fragment. Parameters beyond
 * the length that browsers and proxies accept are dropped, so that the visitor still arrives.
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

/** The parameters of a query that fit into `room` bytes, in order. */
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

/** Appends a path, unless it would leave the destination's own path. Browsers read `\` as a slash. */
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

/** Replaces lone surrogates by U+FFFD: encodeURIComponent would throw on them. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
