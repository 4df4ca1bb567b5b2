import { hasRefusedScheme } from '../kernel/urls.ts';
import { type Condition, compileConditions, type StoredConditions } from './conditions.ts';
import { compileTarget, type Target } from './destinationUrl.ts';
import { fnv1a } from './stickyHash.ts';
import type { Utm } from './utm.ts';

interface Facts {
  id: string;
  projectId: string;
  teamId: string;
  domain: string;
  slug: string;
  destination: string;
  utm: Utm | null;
  expiredDestination: string | null;
  clickLimit: number | null;
  /** Clicks by people. The redirect room counts them up between two compilations. */
  clicks: number;
}

/** A link as stored, with its team, as a plain object instead of a model instance. */
export interface LinkRow extends Facts {
  routing: StoredRouting | null;
  archivedAt: Date | null;
  flaggedAt: Date | null;
  startsAt: Date | null;
  expiresAt: Date | null;
}

/** A link prepared for redirects. Times are milliseconds since the epoch. */
export interface CompiledLink extends Facts {
  routing: CompiledRouting;
  archivedAt: number | null;
  flaggedAt: number | null;
  startsAt: number | null;
  expiresAt: number | null;
  /** The choice if no rule matches and there is no split. */
  fallback: Choice;
  expired: Expired;
  /** Hash of the id; the hash of a visitor continues it. */
  splitSeed: number;
}

/** Does everything that does not depend on the visitor, once for each version of a link. Keeps other fields of the row. */
export function compileLink<Row extends LinkRow>(row: Row): CompiledLink & Omit<Row, keyof LinkRow> {
  return {
    ...row,
    routing: compileRouting(row.routing, row.utm),
    archivedAt: milliseconds(row.archivedAt),
    flaggedAt: milliseconds(row.flaggedAt) ?? (leadsToRefusedScheme(row) ? 0 : null),
    startsAt: milliseconds(row.startsAt),
    expiresAt: milliseconds(row.expiresAt),
    fallback: compileChoice(row.destination, row.utm, null),
    expired: {
      kind: 'expired',
      destination: row.expiredDestination && compileTarget(row.expiredDestination, null).url,
    },
    splitSeed: fnv1a(row.id),
  };
}

/** Links with a scheme that has been refused since stop at once, before the scan that will flag them. */
function leadsToRefusedScheme({ destination, expiredDestination, routing }: LinkRow): boolean {
  if (hasRefusedScheme(destination) || hasRefusedScheme(expiredDestination ?? '')) return true;
  const choices = [...(routing?.rules ?? []), ...(routing?.split ?? [])].map((choice) => choice.destination);
  const fallbacks = [routing?.ios?.fallback ?? '', routing?.android?.fallback ?? ''];
  return [...choices, ...fallbacks].some(hasRefusedScheme);
}

function milliseconds(moment: Date | null): number | null {
  return moment === null ? null : moment.getTime();
}

/** `links.routing` as stored, spelled as in the REST API. Parts that do not choose a destination are left out. */
export interface StoredRouting {
  rules?: readonly StoredRule[] | null;
  split?: readonly { name?: string | null; destination: string; weight: number }[] | null;
  forward_query?: boolean | null;
  forward_path?: boolean | null;
  open_app?: boolean | null;
  ios?: StoredAppRouting | null;
  android?: StoredAppRouting | null;
}

/** How a link opens the app of one platform. */
export interface StoredAppRouting {
  /** The path in the app, starting with `/`. */
  deep_link_path?: string | null;
  /** Where visitors without the app go: `store`, or a URL. Unset: the destination. */
  fallback?: string | null;
}

export interface StoredRule {
  name?: string | null;
  when?: (StoredConditions & { not?: StoredConditions | null }) | null;
  destination: string;
}

/** A destination, and the finished outcome for a visitor without query parameters. */
export interface Choice {
  target: Target;
  ready: Redirect;
}

interface CompiledRule extends Choice {
  conditions: readonly Condition[];
  /** The conditions under `not`. */
  exceptions: readonly Condition[];
}

export interface CompiledEntry extends Choice {
  weight: number;
  /** Seed for hashing visitors, derived from the entry's name, so that the order of entries does not matter. */
  seed: number;
}

export interface CompiledRouting {
  rules: readonly CompiledRule[];
  split: readonly CompiledEntry[];
  forwardQuery: boolean;
  forwardPath: boolean;
  /** Whether a rule depends on the visitor's query parameters. */
  readsQuery: boolean;
  /** Null unless the link opens apps. */
  apps: { ios: StoredAppRouting; android: StoredAppRouting } | null;
}

/** Compiles the routing; every destination gets the link's `utm`. Unnamed rules and entries are named by position, from 1. */
function compileRouting(stored: StoredRouting | null, utm: Utm | null): CompiledRouting {
  const rules = (stored?.rules ?? []).map((rule, index) => ({
    ...compileChoice(rule.destination, utm, rule.name || `rule ${index + 1}`),
    conditions: compileConditions(rule.when),
    exceptions: compileConditions(rule.when?.not),
  }));
  return {
    rules,
    split: compileSplit(stored?.split ?? [], utm),
    forwardQuery: stored?.forward_query ?? true,
    forwardPath: stored?.forward_path ?? false,
    apps: stored?.open_app ? { ios: stored.ios ?? {}, android: stored.android ?? {} } : null,
    readsQuery: rules.some((rule) => [...rule.conditions, ...rule.exceptions].some(({ name }) => name === 'query')),
  };
}

/** `rule`: the name of this choice in clicks; null for the link's own destination. */
function compileChoice(destination: string, utm: Utm | null, rule: string | null): Choice {
  const target = compileTarget(destination, utm);
  return { target, ready: { kind: 'redirect', destination: target.url, rule, configured: destination } };
}

function compileSplit(entries: NonNullable<StoredRouting['split']>, utm: Utm | null): CompiledEntry[] {
  const uses = new Map<string, number>();
  return entries.map(({ name, destination, weight }, index) => {
    const entryName = name || `split ${index + 1}`;
    const before = uses.get(entryName) ?? 0;
    uses.set(entryName, before + 1);
    // With equal seeds, entries of the same name would draw equal numbers, and the heaviest would win every visitor.
    return { ...compileChoice(destination, utm, entryName), weight, seed: fnv1a(`${entryName}\n${before}`) };
  });
}

/** The visitor is redirected. */
export interface Redirect {
  readonly kind: 'redirect';
  /** Safe in a Location header: ASCII without controls. */
  readonly destination: string;
  /** The name of the rule or split entry that chose it; null: the link's own destination. */
  readonly rule: string | null;
  /** The chosen destination as its owner wrote it, without added parameters; clicks are grouped by it. */
  readonly configured: string;
}

export interface Expired {
  readonly kind: 'expired';
  /** The link's own destination for this case; null: that of the domain, or a page. */
  readonly destination: string | null;
}
