import { TOKEN_PARAMETER } from './appUrls.ts';
import type { CompiledLink } from './compiledLink.ts';
import type { Choice, CompiledEntry } from './compiledRouting.ts';
import { failedCondition } from './conditions.ts';
import { locationOf } from './destinationUrl.ts';
import type { Outcome } from './outcome.ts';
import { type Parameters, parseParameters, withoutParameter } from './queryString.ts';
import { linkStatus } from './status.ts';
import { fnv1a, spread } from './stickyHash.ts';
import type { Visitor } from './visitor.ts';

/** What a request says beside its headers. */
export interface RequestFacts {
  /** Raw, without its `?`. */
  query: string;
  /** ISO 3166-1 alpha-2 in capitals. */
  country: string | null;
  /** Whatever stands for the address; the same for as long as a visitor is to stay on one side of a split. */
  addressKey: string;
  /** The raw path after the slug, from its `/`: for links that forward it. */
  path?: string;
}

const NOT_FOUND: Outcome = { kind: 'not_found' };
const FLAGGED: Outcome = { kind: 'flagged' };
const NO_PARAMETERS: Parameters = new Map();

/** Where a visitor goes who asks for `link` (null: unknown) at `now`, in milliseconds since the epoch. */
export function decide(link: CompiledLink | null, visitor: Visitor, now: number, request: RequestFacts): Outcome {
  if (link === null) return NOT_FOUND;
  const status = linkStatus(link, now);
  if (status === 'flagged') return FLAGGED;
  if (status === 'archived' || status === 'scheduled') return NOT_FOUND;
  if (status === 'expired') return link.expired;

  const { target, ready } =
    matchingRule(link, visitor, now, request) ?? splitEntry(link, visitor, request.addressKey) ?? link.fallback;
  // The token of a click is for apps and for us: it would let its reader claim the click.
  const query = link.routing.forwardQuery ? withoutParameter(request.query, TOKEN_PARAMETER) : '';
  const path = link.routing.forwardPath ? (request.path ?? '') : '';
  if (query === '' && path === '') return ready;
  const destination = locationOf(target, query, path);
  return { kind: 'redirect', destination, rule: ready.rule, configured: ready.configured };
}

function matchingRule(link: CompiledLink, visitor: Visitor, now: number, request: RequestFacts): Choice | null {
  const { rules, readsQuery } = link.routing;
  if (rules.length === 0) return null;
  const parameters = readsQuery && request.query !== '' ? parseParameters(request.query) : NO_PARAMETERS;
  const subject = { visitor, now, country: request.country, parameters };
  for (const rule of rules) if (failedCondition(rule, subject) === null) return rule;
  return null;
}

/**
 * The entry of the split on whose side link, address and agent fall: sticky although nothing is stored. Each entry
 * draws a number for the visitor and the smallest beside its weight wins (weighted rendezvous hashing): a weight that
 * is changed, or an entry that comes or goes, moves visitors to or from that entry alone.
 */
export function splitEntry(link: CompiledLink, visitor: Visitor, addressKey: string): CompiledEntry | null {
  const { split } = link.routing;
  if (split.length === 0) return null;
  const hash = fnv1a(addressKey, link.splitSeed) ^ visitor.agentHash;
  let winner: CompiledEntry | null = null;
  let lowest = Number.POSITIVE_INFINITY;
  for (const entry of split) {
    const drawn = -Math.log(1 - spread(hash ^ entry.seed)) / entry.weight;
    if (drawn < lowest) {
      lowest = drawn;
      winner = entry;
    }
  }
  return winner;
}
