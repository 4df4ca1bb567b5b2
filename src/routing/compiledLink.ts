import { type Condition, compileConditions, type StoredConditions } from './conditions.ts';
import { compileTarget, type Target, type Utm } from './destinationUrl.ts';
import type { Expired, Redirect } from './outcome.ts';
import type { StatusFacts } from './status.ts';
import { fnv1a } from './stickyHash.ts';

/** `links.routing` as stored: the REST spelling of api.md §4. Parts that do not choose a destination are ignored. */
export interface StoredRouting {
  rules?:
    | readonly {
        name?: string | null;
        when?: (StoredConditions & { not?: StoredConditions | null }) | null;
        destination: string;
      }[]
    | null;
  split?: readonly { name?: string | null; destination: string; weight: number }[] | null;
  forward_query?: boolean | null;
  forward_path?: boolean | null;
}

/** A link's row as stored, with its team. */
export interface LinkRow {
  id: string;
  projectId: string;
  teamId: string;
  domain: string;
  slug: string;
  destination: string;
  routing: StoredRouting | null;
  utm: Utm | null;
  archivedAt: Date | null;
  flaggedAt: Date | null;
  startsAt: Date | null;
  expiresAt: Date | null;
  expiredDestination: string | null;
  clickLimit: number | null;
  clicks: number;
}

/** One place to send a visitor to, and the answer that is ready when the visitor brings no parameters. */
export interface Choice {
  target: Target;
  ready: Redirect;
}

export interface CompiledRule extends Choice {
  conditions: readonly Condition[];
  exceptions: readonly Condition[];
}

export interface CompiledRouting {
  rules: readonly CompiledRule[];
  /** `upTo`: the share of visitors, 0 to 1, at or below which this entry and those before it lie. */
  split: readonly (Choice & { upTo: number })[];
  forwardQuery: boolean;
  forwardPath: boolean;
  /** Whether a rule asks for the visitor's parameters. */
  readsQuery: boolean;
}

/** A link prepared for redirects; moments in milliseconds since the epoch. Whoever counts may raise `clicks`. */
export interface CompiledLink extends StatusFacts {
  id: string;
  projectId: string;
  teamId: string;
  domain: string;
  slug: string;
  destination: string;
  utm: Utm | null;
  routing: CompiledRouting;
  archivedAt: number | null;
  flaggedAt: number | null;
  startsAt: number | null;
  expiresAt: number | null;
  expiredDestination: string | null;
  fallback: Choice;
  expired: Expired;
  /** Hash of the id, where the hash of a visitor goes on. */
  splitSeed: number;
}

/** Does once for each version of a link whatever does not depend on the visitor. */
export function compileLink(row: LinkRow): CompiledLink {
  const { id, projectId, teamId, domain, slug, destination, utm, expiredDestination, clickLimit, clicks } = row;
  return {
    ...{ id, projectId, teamId, domain, slug, destination, utm, expiredDestination, clickLimit, clicks },
    routing: compileRouting(row.routing ?? {}, utm),
    archivedAt: milliseconds(row.archivedAt),
    flaggedAt: milliseconds(row.flaggedAt),
    startsAt: milliseconds(row.startsAt),
    expiresAt: milliseconds(row.expiresAt),
    fallback: compileChoice(destination, utm, null),
    expired: { kind: 'expired', destination: expiredDestination && compileTarget(expiredDestination, null).url },
    splitSeed: fnv1a(id),
  };
}

function compileRouting(routing: StoredRouting, utm: Utm | null): CompiledRouting {
  const rules = (routing.rules ?? []).map((rule, index) => ({
    ...compileChoice(rule.destination, utm, rule.name || `rule ${index + 1}`),
    conditions: compileConditions(rule.when),
    exceptions: compileConditions(rule.when?.not),
  }));
  const isAboutQuery = ({ name }: Condition) => name === 'query';
  return {
    rules,
    split: compileSplit(routing.split ?? [], utm),
    forwardQuery: routing.forward_query ?? true,
    forwardPath: routing.forward_path ?? false,
    readsQuery: rules.some((rule) => rule.conditions.some(isAboutQuery) || rule.exceptions.some(isAboutQuery)),
  };
}

function compileSplit(entries: NonNullable<StoredRouting['split']>, utm: Utm | null): CompiledRouting['split'] {
  const total = entries.reduce((sum, { weight }) => sum + weight, 0);
  let reached = 0;
  return entries.map(({ name, destination, weight }, index) => {
    reached += weight;
    return { ...compileChoice(destination, utm, name || `split ${index + 1}`), upTo: reached / total };
  });
}

function compileChoice(destination: string, utm: Utm | null, rule: string | null): Choice {
  const target = compileTarget(destination, utm);
  return { target, ready: { kind: 'redirect', destination: target.url, rule, configured: destination } };
}

function milliseconds(moment: Date | null): number | null {
  return moment === null ? null : moment.getTime();
}
