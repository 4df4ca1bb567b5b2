export type MatchMethod = 'link' | 'referrer' | 'clipboard' | 'probabilistic' | 'none';

/** Whether and how an opening was traced back to a click. */
export interface MatchFacts {
  method: MatchMethod;
  /** 0–100. */
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

/** Whether there is a match, and a sure one, follows from its method. */
export function matchOf({ method, confidence, factors, clickedAt }: MatchFacts) {
  const matched = method !== 'none';
  const guaranteed = matched && method !== 'probabilistic';
  const shown = factors.map(({ name, points }) => ({ name, points }));
  return { matched, method, confidence, guaranteed, factors: shown, clickedAt };
}
