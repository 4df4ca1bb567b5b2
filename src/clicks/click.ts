import type { TrafficClass } from '../routing/trafficReason.ts';

/** One visit through a link, as the journal and the store hold it. Null stands for unknown. */
export interface Click {
  /** `clk_` id. */
  id: string;
  /** Empty for clicks that were recorded before version 2 of the journal line. */
  teamId: string;
  projectId: string;
  linkId: string;
  domain: string;
  slug: string;
  /** Milliseconds since the epoch. */
  occurredAt: number;
  trafficClass: TrafficClass;
  trafficReason: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  region: string | null;
  city: string | null;
  platform: string;
  device: string;
  browser: string | null;
  language: string | null;
  referrerHost: string | null;
  destination: string | null;
  rule: string | null;
  utm: Record<string, string | null | undefined> | null;
  /** Ids of the tags that the link had at the time of the click. */
  tagIds: string[];
  /** Keyed hash of the address and the User-Agent; the key changes each UTC day. */
  visitor: string;
  /** Keyed hash of the address alone, with the same key. */
  addressHash: string;
  /** Known of phones that report it; kept only for as long as an install may be matched with the click. */
  osVersion: string | null;
  deviceModel: string | null;
}

/** The first value of a line: the version of the order that follows. Another order needs another number. */
const FORMAT = 3;
/** Values that lines of earlier versions lack at their end; an upgrade may find such lines in the journal. */
const MISSING = new Map<unknown, unknown[]>([
  [1, ['', [], null, null]],
  [2, [null, null]],
]);

/** The fields of a click that its link determines. */
type LinkField = 'teamId' | 'projectId' | 'linkId' | 'domain' | 'slug' | 'utm' | 'tagIds';
type LinkFields = Pick<Click, LinkField>;
type Visit = Omit<Click, LinkField>;

/**
 * The link's part of a line as JSON, made once for each version of a link. Redirects pass it to `encodeVisit`, which then
 * need not touch the link's own values: those of a link that was not followed lately are in no processor cache.
 */
export interface EncodedLink {
  target: string;
  utm: string;
  owner: string;
}

// The order of a line stands in the next two functions and nowhere else: ORDER is read from what they write. On the path
// of a redirect such literals are a third faster than a loop over a list of names.

export function encodeLink(link: LinkFields): EncodedLink {
  return {
    target: copied(valuesOf([link.projectId, link.linkId, link.domain, link.slug])),
    utm: JSON.stringify(link.utm),
    owner: copied(valuesOf([link.teamId, link.tagIds])),
  };
}

/** The line that `encodeClick` returns for the whole click, in half the time. */
export function encodeVisit(link: EncodedLink, visit: Visit): string {
  const values = valuesOf([
    visit.occurredAt,
    visit.trafficClass,
    visit.trafficReason,
    visit.country,
    visit.region,
    visit.city,
    visit.platform,
    visit.device,
    visit.browser,
    visit.language,
    visit.referrerHost,
    visit.destination,
    visit.rule,
  ]);
  const device = valuesOf([visit.osVersion, visit.deviceModel]);
  const { id, visitor, addressHash } = visit;
  // This process makes the id and the hashes: none of their characters needs escaping.
  return `[${FORMAT},"${id}",${link.target},${values},${link.utm},"${visitor}","${addressHash}",${link.owner},${device}]`;
}

function valuesOf(values: unknown[]): string {
  return JSON.stringify(values).slice(1, -1);
}

/** A copy: V8 keeps the whole of a string alive for a slice of it. */
function copied(text: string): string {
  return Buffer.from(text).toString();
}

/** A click whose values are the names of its fields. */
const NAMES = new Proxy({} as Click, { get: (_, field) => field });
/** The fields in the order of a line. */
const ORDER: (keyof Click)[] = JSON.parse(encodeVisit(encodeLink(NAMES), NAMES)).slice(1);

/** The index of each field in a line. */
export const PLACES = Object.fromEntries(ORDER.map((field, at) => [field, at + 1])) as Record<keyof Click, number>;

/** Fields that are not text, or may be null. */
const NOT_TEXT: ReadonlySet<keyof Click> = new Set([
  'occurredAt',
  'trafficReason',
  'country',
  'region',
  'city',
  'browser',
  'language',
  'referrerHost',
  'destination',
  'rule',
  'utm',
  'tagIds',
  'osVersion',
  'deviceModel',
]);
const TEXTS = ORDER.filter((field) => !NOT_TEXT.has(field));

/** The journal line of a click, without a newline. Redirects put the same together from parts: see `encodeVisit`. */
export function encodeClick(click: Readonly<Click>): string {
  const line = LINES.get(click);
  if (line !== undefined) return line;
  const values: unknown[] = [FORMAT];
  for (const field of ORDER) values.push(click[field]);
  return JSON.stringify(values);
}

/** Reverses `encodeClick`; null for a damaged line. */
export function decodeClick(line: string): Click | null {
  const values = parse(line);
  if (!Array.isArray(values)) return null;
  const missing = values[0] === FORMAT ? [] : MISSING.get(values[0]);
  if (!missing || values.push(...missing) !== ORDER.length + 1) return null;
  const click: Record<string, unknown> = {};
  for (let at = 0; at < ORDER.length; at += 1) click[ORDER[at] as string] = values[at + 1];
  if (!isWhole(click as unknown as Click)) return null;
  if (values[0] === FORMAT) LINES.set(click, line);
  return click as unknown as Click;
}

/** The lines from which clicks were decoded. A changed click is another object, and has none. */
const LINES = new WeakMap<object, string>();

function isWhole(click: Click): boolean {
  if (!Number.isSafeInteger(click.occurredAt) || !Array.isArray(click.tagIds)) return false;
  for (const field of TEXTS) if (typeof click[field] !== 'string') return false;
  return true;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
