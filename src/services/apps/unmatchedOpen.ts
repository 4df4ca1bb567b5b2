import { randomUUID } from 'node:crypto';
import { type MatchFacts, matchOf } from '../../events/presentMatch.ts';
import type { Link } from '../../models/Link.ts';

/** What an app is told of its opening. */
export interface OpenAnswer {
  /** A UUID. */
  openId: string;
  match: ReturnType<typeof matchOf>;
  link: Link | null;
}

/** An answer without a match for which nothing was written down; `why` is its one factor. */
export function unmatchedOpen(why: string): OpenAnswer {
  const facts: MatchFacts = { method: 'none', confidence: 0, factors: [{ name: why, points: 0 }], clickedAt: null };
  return { openId: randomUUID(), match: matchOf(facts), link: null };
}
