import type { StoredRouting, StoredRule } from '../../../src/routing/compiledLink.ts';
import type { StoredConditions } from '../../../src/routing/conditions.ts';

/** What api.md §2 says of a link, as far as redirects read it. */
export interface PlainLink {
  destination: string;
  routing: StoredRouting | null;
  utm: Record<string, string | null> | null;
  flagged_at: string | null;
  archived_at: string | null;
  starts_at: string | null;
  expires_at: string | null;
  expired_destination: string | null;
  click_limit: number | null;
  clicks: number;
}

/** Who asks, in the words of the conditions. */
export interface PlainVisitor {
  platform: string;
  device: string;
  country: string | null;
  /** The first accepted one, as the header spells it. */
  language: string | null;
  referrer_host: string | null;
  at: string;
  /** Raw. */
  query: string;
  /** What stood behind the slug. */
  more: string;
}

/** A place as a browser understands it. */
export interface Place {
  /** Scheme and host. */
  origin: string;
  path: string;
  /** Decoded names and values. */
  parameters: [string, string][];
  fragment: string;
}

/** `by`: a rule or entry as clicks name it; null: the destination. Which entry of a split it is, is not foretold. */
export type Expected =
  | { kind: 'not_found' | 'flagged' }
  | { kind: 'expired'; place: Place | null }
  | { kind: 'redirect'; decidedBy: 'rule' | 'split' | 'destination'; places: { by: string | null; place: Place }[] };

/** The sentences of api.md §4 one after the other, without a thought for speed. */
export function interpret(link: PlainLink, visitor: PlainVisitor): Expected {
  const now = Date.parse(visitor.at);
  if (link.flagged_at) return { kind: 'flagged' };
  if (link.archived_at) return { kind: 'not_found' };
  if (link.starts_at && now < Date.parse(link.starts_at)) return { kind: 'not_found' };
  const isOver = link.expires_at && now >= Date.parse(link.expires_at);
  if (isOver || (link.click_limit !== null && link.clicks >= link.click_limit)) {
    return { kind: 'expired', place: link.expired_destination === null ? null : placeOf(link.expired_destination) };
  }
  const rules = link.routing?.rules ?? [];
  for (const [at, rule] of rules.entries()) {
    if (!matches(rule, visitor)) continue;
    const places = [{ by: rule.name ?? `rule ${at + 1}`, place: sentTo(rule.destination, link, visitor) }];
    return { kind: 'redirect', decidedBy: 'rule', places };
  }
  const split = link.routing?.split ?? [];
  if (split.length > 0) {
    const places = split.map((entry, at) => ({
      by: entry.name ?? `split ${at + 1}`,
      place: sentTo(entry.destination, link, visitor),
    }));
    return { kind: 'redirect', decidedBy: 'split', places };
  }
  const places = [{ by: null, place: sentTo(link.destination, link, visitor) }];
  return { kind: 'redirect', decidedBy: 'destination', places };
}

/** Every condition holds and none under `not` does. */
function matches(rule: StoredRule, visitor: PlainVisitor): boolean {
  const { not, ...conditions } = rule.when ?? {};
  return holding(conditions, visitor).every(Boolean) && !holding(not ?? {}, visitor).some(Boolean);
}

function holding(conditions: StoredConditions, visitor: PlainVisitor): boolean[] {
  const now = Date.parse(visitor.at);
  const held: boolean[] = [];
  if (conditions.platform) held.push(conditions.platform.includes(visitor.platform));
  if (conditions.device) held.push(conditions.device.includes(visitor.device));
  if (conditions.country) held.push(conditions.country.some((country) => country === visitor.country));
  if (conditions.language) held.push(conditions.language.some((language) => speaks(visitor, language)));
  if (conditions.referrer_host) held.push(conditions.referrer_host.some((host) => isSame(host, visitor.referrer_host)));
  if (conditions.query) {
    const brought = [...new URLSearchParams(visitor.query)];
    const isThere = (name: string, value?: string | null) =>
      brought.some((pair) => pair[0] === name && (value === undefined || value === null || pair[1] === value));
    held.push(conditions.query.some(({ name, value }) => isThere(name, value)));
  }
  if (conditions.after) held.push(Date.parse(conditions.after) <= now);
  if (conditions.before) held.push(now < Date.parse(conditions.before));
  return held;
}

/** `de` also matches `de-AT`. */
function speaks({ language }: PlainVisitor, wanted: string): boolean {
  const subtags = language?.split('-') ?? [];
  return subtags.some((_, last) => isSame(wanted, subtags.slice(0, last + 1).join('-')));
}

function isSame(one: string, other: string | null): boolean {
  return one.toLowerCase() === other?.toLowerCase();
}

/** The destination's own parameters, then the link's `utm`, then the visitor's: a name that came before is not added. */
function sentTo(destination: string, link: PlainLink, visitor: PlainVisitor): Place {
  const own = placeOf(destination);
  const forwardsQuery = link.routing?.forward_query ?? true;
  const forwardsPath = link.routing?.forward_path ?? false;
  const utm = Object.entries(link.utm ?? {}).flatMap(([name, value]): [string, string][] =>
    value ? [[`utm_${name}`, value]] : [],
  );
  const brought = forwardsQuery ? [...new URLSearchParams(visitor.query)] : [];
  const isNew = (before: [string, string][]) => (pair: [string, string]) => before.every(([name]) => name !== pair[0]);
  const withUtm = [...own.parameters, ...utm.filter(isNew(own.parameters))];
  return {
    ...own,
    path: forwardsPath && visitor.more !== '' ? appended(destination, visitor.more) : own.path,
    parameters: [...withUtm, ...brought.filter(isNew(withUtm))],
  };
}

/** A path that a browser would read as one above the destination's is none to append. */
function appended(destination: string, more: string): string {
  const before = destination.replace(/[?#].*$/, '').replace(/\/$/, '');
  const climbs = more.split(/\/|\\/).some((segment) => ['.', '..'].includes(segment.replace(/%2e/gi, '.')));
  return climbs ? placeOf(destination).path : placeOf(before + more.replaceAll('\\', '%5C')).path;
}

/** Reads a URL as a browser does. */
export function placeOf(url: string): Place {
  const { protocol, host, pathname, searchParams, hash } = new URL(url);
  return { origin: `${protocol}//${host}`, path: pathname, parameters: [...searchParams], fragment: hash };
}
