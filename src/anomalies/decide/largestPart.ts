/** The clicks of a key during an incident, and the expected ones. */
export interface KeyChange {
  dimension: string;
  /** Null: unknown. */
  key: string | null;
  expected: number;
  actual: number;
}

/** The part of the traffic that changed most. */
export interface LargestPart {
  dimension: string;
  key: string | null;
  from: number;
  to: number;
  /** Its share of the whole change. */
  share: number;
}

/** A part explains a change if it is at least this share of it… */
const LEAST_SHARE = 0.5;
/** …and this much more than its share of the usual traffic: where everything falls, each country does. */
const LEAST_EXCESS = 0.2;
/** Dimensions often change together, like a link and its destination. Of similar explanations the first one counts. */
const ALIKE = 0.05;

/** The part that explains most of a change of traffic, from keys of dimensions in the order of preference; null if none stands out. */
export function largestPart(changes: readonly KeyChange[], expected: number, actual: number): LargestPart | null {
  const change = actual - expected;
  let best: (LargestPart & { excess: number }) | null = null;
  for (const part of changes) {
    const share = (part.actual - part.expected) / change;
    const excess = share - (expected > 0 ? part.expected / expected : 0);
    if (!(share >= LEAST_SHARE) || !(excess >= LEAST_EXCESS)) continue;
    if (best && excess <= best.excess + ALIKE) continue;
    const { dimension, key } = part;
    best = { dimension, key, from: Math.round(part.expected), to: part.actual, share: rounded(share), excess };
  }
  if (!best) return null;
  const { excess: _, ...found } = best;
  return found;
}

function rounded(share: number): number {
  return Math.round(share * 100) / 100;
}
