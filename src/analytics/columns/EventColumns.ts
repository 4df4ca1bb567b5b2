import type { TrafficClass } from '../../routing/trafficReason.ts';

/** Events of one UTC day by column, in the order of time. */
export interface EventColumns {
  length: number;
  /** The time from which `at` counts, in milliseconds since the epoch. */
  baseMs: number;
  at: ArrayLike<number>;
  /** The halves of 64 bits that identify the visitor on that day. */
  high: ArrayLike<number>;
  low: ArrayLike<number>;
  /** Indexes in TRAFFIC_CLASSES. */
  classes: ArrayLike<number>;
  /** By dimension: numbers of keys, 0 for unknown. For `tag`: numbers of lists of tags. */
  keys: Record<string, ArrayLike<number>>;
  /** How many events each entry stands for; by default one. */
  weights?: ArrayLike<number>;
  /** The sum of the values of each entry's events; null without a value. */
  values?: readonly (Money | null)[];
}

export interface Money {
  /** Null for a value without a currency. */
  currency: string | null;
  /** In units of 10^-12. */
  units: bigint;
}

/** In the order of their codes in stored columns. */
export const TRAFFIC_CLASSES = ['human', 'bot', 'scanner', 'prefetch'] as const satisfies TrafficClass[];
