import type { TrafficClass } from '../routing/trafficReason.ts';

/** Clicks of one UTC day by columns, in the order of time. */
export interface Part {
  length: number;
  /** Milliseconds since the epoch that `at` counts from. */
  baseMs: number;
  at: ArrayLike<number>;
  /** Halves of 64 bits that stand for the visitor on that day. */
  high: ArrayLike<number>;
  low: ArrayLike<number>;
  /** Places in TRAFFIC_CLASSES. */
  classes: ArrayLike<number>;
  /** By dimension: numbers of keys, 0 for unknown; of `tag` numbers of lists of tags. */
  keys: Record<string, ArrayLike<number>>;
  /** How many events each entry stands for; one if nothing is said. */
  weights?: ArrayLike<number>;
  /** What the events of each entry are worth together; null for nothing. */
  values?: readonly (Money | null)[];
}

export interface Money {
  /** Null where an event has a value alone. */
  currency: string | null;
  /** Whole ones of 10^-12. */
  units: bigint;
}

/** In the order of their codes. */
export const TRAFFIC_CLASSES = ['human', 'bot', 'scanner', 'prefetch'] as const satisfies TrafficClass[];
