import { decodeAt, encodeColumn } from './Column.ts';
import { TRAFFIC_CLASSES } from './Part.ts';

/** Figures of one UTC day by key, in the order of the keys' numbers. */
export interface DayTotals {
  /** Of keys; 0: unknown. */
  numbers: ArrayLike<number>;
  clicks: ArrayLike<number>;
  /** Distinct ones. */
  visitors: ArrayLike<number>;
}

/** `all` counts a visitor once who was seen in several classes. */
export const COUNTED_CLASSES = [...TRAFFIC_CLASSES, 'all'] as const;
export type CountedClass = (typeof COUNTED_CLASSES)[number];

export function encodeTotals({ numbers, clicks, visitors }: DayTotals): Buffer {
  return Buffer.concat([encodeColumn(numbers), encodeColumn(clicks), encodeColumn(visitors)]);
}

export function decodeTotals(stored: Buffer): DayTotals {
  const numbers = decodeAt(stored, 0);
  const clicks = decodeAt(stored, numbers.end);
  return { numbers: numbers.column, clicks: clicks.column, visitors: decodeAt(stored, clicks.end).column };
}
