export type MatchMethod = 'link' | 'referrer' | 'clipboard' | 'probabilistic' | 'none';

/** Whether and how an opening was traced back to a click. */
export interface MatchFacts {
  method: MatchMethod;
  /** 0–100. */
  confidence: number;
  /** What spoke for the click; none for what the device itself told. */
  factors: { name: string; points: number }[];
  clickedAt: Date | null;
}

/** A match as apps and webhooks are told of it. Whether there is one, and a sure one, follows from the method. */
export function presentMatch({ method, confidence, factors, clickedAt }: MatchFacts) {
  const matched = method !== 'none';
  return {
    matched,
    method,
    confidence,
    guaranteed: matched && method !== 'probabilistic',
    factors: factors.map(({ name, points }) => ({ name, points })),
    clicked_at: clickedAt?.toISOString() ?? null,
  };
}
