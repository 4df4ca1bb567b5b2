import type { TrafficClass } from '../routing/trafficReason.ts';

/** One following of a link, as the journal and the store hold it. What is not known is null. */
export interface Click {
  /** `clk_` id. */
  id: string;
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
  /** Keyed hash of address and agent; another one each UTC day. */
  visitor: string;
  /** Keyed hash of the address alone. */
  addressHash: string;
}

/** Stands first in a line and tells which values follow. Another order needs another number. */
const FORMAT = 1;

// biome-ignore format: the order of a line, at one glance
const ORDER = [
  'id', 'projectId', 'linkId', 'domain', 'slug', 'occurredAt', 'trafficClass', 'trafficReason',
  'country', 'region', 'city', 'platform', 'device', 'browser', 'language', 'referrerHost',
  'destination', 'rule', 'utm', 'visitor', 'addressHash',
] as const satisfies (keyof Click)[];

const NEVER_NULL = [
  'id',
  'projectId',
  'linkId',
  'domain',
  'slug',
  'trafficClass',
  'platform',
  'device',
  'visitor',
  'addressHash',
] as const;

/** The journal's line for a click, without a newline: an array, for it is written with each redirect. */
export function encodeClick(click: Click): string {
  const values: unknown[] = [FORMAT];
  for (const field of ORDER) values.push(click[field]);
  return JSON.stringify(values);
}

/** Reverses `encodeClick`; null for a line that is damaged. */
export function decodeClick(line: string): Click | null {
  const values = parse(line);
  if (!Array.isArray(values) || values.length !== ORDER.length + 1 || values[0] !== FORMAT) return null;
  const click = Object.fromEntries(ORDER.map((field, at) => [field, values[at + 1]])) as unknown as Click;
  if (!Number.isSafeInteger(click.occurredAt)) return null;
  return NEVER_NULL.every((field) => typeof click[field] === 'string') ? click : null;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
