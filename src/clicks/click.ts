import type { TrafficClass } from '../routing/trafficReason.ts';

/** One following of a link, as the journal and the store hold it. What is not known is null. */
export interface Click {
  /** `clk_` id. */
  id: string;
  /** Empty for clicks of the time before it was noted. */
  teamId: string;
  projectId: string;
  linkId: string;
  domain: string;
  slug: string;
  /** Milliseconds since the epoch. */
  occurredAt: number;
  trafficClass: TrafficClass;
  trafficReason: string | null;
  /** ISO 3166-1, two capitals. */
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
  /** Ids of the tags that the link carried. */
  tagIds: string[];
  /** Keyed hash of address and agent; another one each UTC day. */
  visitor: string;
  /** Keyed hash of the address alone. */
  addressHash: string;
  /** Of phones that say so; kept for as long as an install may be matched with the click. */
  osVersion: string | null;
  deviceModel: string | null;
}

/** Stands first in a line and tells which values follow. Another order needs another number. */
export const FORMAT = 3;
/** What lines of the versions before end with, which an upgrade may find in the journal. */
const MISSING = new Map<unknown, unknown[]>([
  [1, ['', [], null, null]],
  [2, [null, null]],
]);

// biome-ignore format: the order of a line, at one glance
const ORDER = [
  'id', 'projectId', 'linkId', 'domain', 'slug', 'occurredAt', 'trafficClass', 'trafficReason',
  'country', 'region', 'city', 'platform', 'device', 'browser', 'language', 'referrerHost',
  'destination', 'rule', 'utm', 'visitor', 'addressHash', 'teamId', 'tagIds',
  'osVersion', 'deviceModel',
] as const satisfies (keyof Click)[];

/** No texts, or null where something is not known. */
const NOT_TEXT: ReadonlySet<string> = new Set<keyof Click>([
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

/** Where each value stands in a line. */
export const PLACES = Object.fromEntries(ORDER.map((field, at) => [field, at + 1])) as Record<keyof Click, number>;

/** The journal's line for a click, without a newline. Redirects glue the same from pieces: see `lineOf`. */
export function encodeClick(click: Click): string {
  const values: unknown[] = [FORMAT];
  for (const field of ORDER) values.push(click[field]);
  return JSON.stringify(values);
}

/** Reverses `encodeClick`; null for a line that is damaged. */
export function decodeClick(line: string): Click | null {
  const values = parse(line);
  if (!Array.isArray(values)) return null;
  const missing = values[0] === FORMAT ? [] : MISSING.get(values[0]);
  if (!missing || values.push(...missing) !== ORDER.length + 1) return null;
  const click: Record<string, unknown> = {};
  for (let at = 0; at < ORDER.length; at += 1) click[ORDER[at] as string] = values[at + 1];
  return isWhole(click as unknown as Click) ? (click as unknown as Click) : null;
}

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
