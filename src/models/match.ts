import { MOST_CONFIDENT } from '../matching/confidence.ts';
import { sumOf } from '../matching/score.ts';

export type MatchMethod = 'link' | 'referrer' | 'clipboard' | 'probabilistic' | 'none';

/** Whether and how an opening was traced back to a click. */
export interface MatchFacts {
  method: MatchMethod;
  /** 0–100; of a guess how many in a hundred like it are right. */
  confidence: number;
  /** What spoke for the click; of what the device itself told its method alone. */
  factors: { name: string; points: number }[];
  clickedAt: Date | null;
}

/** A match as webhooks are told of it. */
export function presentMatch(facts: MatchFacts) {
  const { clickedAt, ...match } = matchOf(facts);
  return { ...match, clicked_at: clickedAt?.toISOString() ?? null };
}

/** Whether there is a match, and a sure one, follows from its method; how well a guess fitted, from its factors. */
export function matchOf({ method, confidence, factors, clickedAt }: MatchFacts) {
  const matched = method !== 'none';
  const guaranteed = matched && method !== 'probabilistic';
  const shown = factors.map(({ name, points }) => ({ name, points }));
  const isGuess = method === 'probabilistic';
  const score = isGuess ? sumOf(factors) : null;
  // Of guesses before confidence was calibrated some said 100.
  const said = isGuess ? Math.min(confidence, MOST_CONFIDENT) : confidence;
  return { matched, method, confidence: said, score, guaranteed, factors: shown, clickedAt };
}
