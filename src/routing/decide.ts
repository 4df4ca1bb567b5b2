import { type Forwarded, TOKEN_PARAMETER } from './appUrls.ts';
import type { Choice, CompiledEntry, CompiledLink, Expired, Redirect } from './compiledLink.ts';
import { failedCondition } from './conditions.ts';
import { locationOf } from './destinationUrl.ts';
import { linkStatus } from './status.ts';
import { fnv1a, toUnitInterval } from './stickyHash.ts';
import { type Parameters, parseParameters, withoutParameter } from './urlEncoding.ts';
import type { Visitor } from './visitor.ts';

/** What the decision needs of a request besides its headers. */
export interface RequestFacts {
  /** Raw, without its `?`. */
  query: string;
  /** ISO 3166-1 alpha-2 in capitals. */
  country: string | null;
  /** A key for the visitor's address, constant for as long as the visitor should stay on one side of a split. */
  addressKey: string;
  /** The raw path after the slug, starting with `/`, for links that forward it. */
  path?: string;
}

const NOT_FOUND: Outcome = { kind: 'not_found' };
const FLAGGED: Outcome = { kind: 'flagged' };
const NO_PARAMETERS: Parameters = new Map();

/** Decides where `link` (null: unknown) sends a visitor at `now`, in milliseconds since the epoch. */
export function decide(link: CompiledLink | null, visitor: Visitor, now: number, request: RequestFacts): Outcome {
  if (link === null) return NOT_FOUND;
  const status = linkStatus(link, now);
  if (status === 'flagged') return FLAGGED;
  if (status === 'archived' || status === 'scheduled') return NOT_FOUND;
  if (status === 'expired') return link.expired;

  const { target, ready } =
    matchingRule(link, visitor, now, request) ?? splitEntry(link, visitor, request.addressKey) ?? link.fallback;
  const { query, path } = forwardedBy(link, request);
  if (query === '' && path === '') return ready;
  const destination = locationOf(target, query, path);
  return { kind: 'redirect', destination, rule: ready.rule, configured: ready.configured };
}

/** What the link passes on of what the visitor brought: to the destination, to an app and to what replaces it. */
export function forwardedBy({ routing }: Pick<CompiledLink, 'routing'>, { query, path }: Brought): Forwarded {
  return {
    // A click's token never reaches the destination: it would let its reader claim the click.
    query: routing.forwardQuery ? withoutParameter(query, TOKEN_PARAMETER) : '',
    path: routing.forwardPath ? (path ?? '') : '',
  };
}

type Brought = Pick<RequestFacts, 'query' | 'path'>;

function matchingRule(link: CompiledLink, visitor: Visitor, now: number, request: RequestFacts): Choice | null {
  const { rules, readsQuery } = link.routing;
  if (rules.length === 0) return null;
  const parameters = readsQuery && request.query !== '' ? parseParameters(request.query) : NO_PARAMETERS;
  const subject = { visitor, now, country: request.country, parameters };
  for (const rule of rules) if (failedCondition(rule, subject) === null) return rule;
  return null;
}

/**
 * The split entry for this link, address and agent: sticky although nothing is stored. Each entry draws a number for the
 * visitor, and the smallest in relation to its weight wins (weighted rendezvous hashing). Changing a weight, or adding or
 * removing an entry, moves visitors only to or from that entry.
 */
export function splitEntry(link: CompiledLink, visitor: Visitor, addressKey: string): CompiledEntry | null {
  const { split } = link.routing;
  if (split.length === 0) return null;
  const hash = fnv1a(addressKey, link.splitSeed) ^ visitor.agentHash;
  let winner: CompiledEntry | null = null;
  let lowest = Number.POSITIVE_INFINITY;
  for (const entry of split) {
    const drawn = -Math.log(1 - toUnitInterval(hash ^ entry.seed)) / entry.weight;
    if (drawn < lowest) {
      lowest = drawn;
      winner = entry;
    }
  }
  return winner;
}

/** The outcome of a request for a link. Passwords, previews and apps are handled after a `redirect`. */
export type Outcome = Redirect | Expired | { readonly kind: 'not_found' } | { readonly kind: 'flagged' };
