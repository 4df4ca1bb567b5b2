/** Evidence for or against a click, in points. */
export interface Factor {
  name: string;
  points: number;
}

export function sumOf(factors: readonly Factor[]): number {
  return factors.reduce((sum, { points }) => sum + points, 0);
}

/** The highest confidence of a probabilistic match. */
export const MAX_CONFIDENCE = 99;

export type MatchMethod = 'link' | 'referrer' | 'clipboard' | 'probabilistic' | 'none';

/** Whether and how an app open was matched to a click. */
export interface MatchFacts {
  method: MatchMethod;
  /** 0–100; for a probabilistic match, how many of a hundred similar ones are right. */
  confidence: number;
  /** The evidence for the click; for a deterministic match, only its method. */
  factors: { name: string; points: number }[];
  clickedAt: Date | null;
}

/** The match as the API reports it: `matched` and `guaranteed` follow from the method, the score from the factors. */
export function matchOf({ method, confidence, factors, clickedAt }: MatchFacts) {
  const matched = method !== 'none';
  const guaranteed = matched && method !== 'probabilistic';
  const shown = factors.map(({ name, points }) => ({ name, points }));
  const isGuess = method === 'probabilistic';
  const score = isGuess ? sumOf(factors) : null;
  // Before confidence was calibrated, some probabilistic matches were stored with 100.
  const said = isGuess ? Math.min(confidence, MAX_CONFIDENCE) : confidence;
  return { matched, method, confidence: said, score, guaranteed, factors: shown, clickedAt };
}
