/** Clicks by key: those of the incident, and those that were to be expected. */
export interface KeyChange {
  dimension: string;
  /** Null: unknown. */
  key: string | null;
  expected: number;
  actual: number;
}

/** The part of the traffic that moved most. */
export interface LargestPart {
  dimension: string;
  key: string | null;
  from: number;
  to: number;
  /** Of the whole change. */
  share: number;
}

/** A part explains a change if it is at least so much of it… */
const LEAST_SHARE = 0.5;
/** …and so much more of it than it is of the usual traffic: where everything falls, each country does. */
const LEAST_EXCESS = 0.2;
/** Dimensions often move together, as a link and its destination. The first of those that are as good is named. */
const ALIKE = 0.05;

/** The part that made most of a change of all traffic, among keys of several dimensions in the order of preference; null if none stands out. */
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
