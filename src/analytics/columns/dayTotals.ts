import { QUARTER_MS, QUARTERS_A_DAY } from '../../kernel/clock.ts';
import { decodeAt, encodeColumn } from './Column.ts';
import { type EventColumns, TRAFFIC_CLASSES } from './EventColumns.ts';
import { VisitorKeySet } from './visitorSets.ts';

/** Figures of one UTC day by key, sorted by the numbers of the keys. */
export interface DayTotals {
  /** Numbers of keys; 0 for unknown. */
  numbers: ArrayLike<number>;
  clicks: ArrayLike<number>;
  /** Distinct visitors. */
  visitors: ArrayLike<number>;
}

/** In `all`, a visitor seen in several classes is counted once. */
const COUNTED_CLASSES = [...TRAFFIC_CLASSES, 'all'] as const;
export type CountedClass = (typeof COUNTED_CLASSES)[number];

export function encodeTotals({ numbers, clicks, visitors }: DayTotals): Buffer {
  return Buffer.concat([encodeColumn(numbers), encodeColumn(clicks), encodeColumn(visitors)]);
}

export function decodeTotals(stored: Buffer): DayTotals {
  const numbers = decodeAt(stored, 0);
  const clicks = decodeAt(stored, numbers.end);
  return { numbers: numbers.column, clicks: clicks.column, visitors: decodeAt(stored, clicks.end).column };
}

const ALL_CLASSES = COUNTED_CLASSES.length - 1;

/** Clicks and visitors of a day by class and number, and the visitors seen in each class; `all` is a class of its own. */
export class ClassCounts {
  readonly #counts = COUNTED_CLASSES.map(() => new Map<number, [clicks: number, visitors: number]>());
  readonly #seen = COUNTED_CLASSES.map(() => new VisitorKeySet(0));

  /** Calls `count` for the class of a click (its code) and for `all`, each with the visitors seen in it. */
  forClasses(code: number, count: (code: number, seen: VisitorKeySet) => void): void {
    count(code, this.#seen[code] as VisitorKeySet);
    count(ALL_CLASSES, this.#seen[ALL_CLASSES] as VisitorKeySet);
  }

  add(code: number, number: number, isNewVisitor: boolean): void {
    const counts = this.#counts[code] as Map<number, [number, number]>;
    const count = counts.get(number);
    if (count === undefined) counts.set(number, [1, isNewVisitor ? 1 : 0]);
    else {
      count[0] += 1;
      if (isNewVisitor) count[1] += 1;
    }
  }

  /** Totals by class, without classes that had no clicks. */
  totals(): [CountedClass, DayTotals][] {
    return COUNTED_CLASSES.flatMap((name, code) => {
      const entries = [...(this.#counts[code] as Map<number, [number, number]>)].sort(([a], [b]) => a - b);
      if (entries.length === 0) return [];
      const totals = {
        numbers: entries.map(([number]) => number),
        clicks: entries.map(([, [clicks]]) => clicks),
        visitors: entries.map(([, [, visitors]]) => visitors),
      };
      return [[name, totals] as [CountedClass, DayTotals]];
    });
  }
}

/** Adds clicks of a day to `counts`, under the numbers of their keys as returned by `numbersOf`. */
export function countKeys(
  counts: ClassCounts,
  events: EventColumns,
  numbersOf: (at: number) => readonly number[] | number,
): void {
  for (let at = 0; at < events.length; at += 1) {
    const [high, low] = [events.high[at] as number, events.low[at] as number];
    const numbers = numbersOf(at);
    counts.forClasses(events.classes[at] as number, (code, seen) => {
      if (typeof numbers === 'number') counts.add(code, numbers, seen.add(high, low, numbers));
      else for (const number of numbers) counts.add(code, number, seen.add(high, low, number));
    });
  }
}

/** The dimension of totals by quarters of an hour. */
export const BY_QUARTER = 'quarter';

/** The quarters in which a visitor can have been seen before, and one for none. */
const PRECEDING = QUARTERS_A_DAY + 1;

/**
 * Adds clicks of a day to `counts` so that exact figures can be computed for any range of quarters of an hour. A visitor is new in
 * a range with the first quarter in it: the one whose preceding quarter (the last one before it with a click of the visitor)
 * lies before the range. The number of an entry is `quarter * 97 + preceding + 1`; clicks of a quarter are spread over its
 * entries in no particular way. Events come in the order of time.
 */
export function countQuarters(counts: ClassCounts, events: EventColumns, dayStartMs: number): void {
  for (let at = 0; at < events.length; at += 1) {
    const quarter = Math.floor((events.baseMs + (events.at[at] as number) - dayStartMs) / QUARTER_MS);
    const [high, low] = [events.high[at] as number, events.low[at] as number];
    counts.forClasses(events.classes[at] as number, (code, seen) => {
      // The preceding quarter plus one; 0 for none.
      const preceding = seen.put(high, low, 0, quarter + 1);
      const isSeen = preceding === quarter + 1;
      counts.add(code, quarter * PRECEDING + (isSeen ? 0 : preceding), !isSeen);
    });
  }
}

/** Clicks and distinct visitors of a day's quarters from `from` up to but without `to`. */
export function countQuarterRange({ numbers, clicks, visitors }: DayTotals, from: number, to: number) {
  const count = { clicks: 0, visitors: 0 };
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] as number;
    const quarter = Math.floor(number / PRECEDING);
    if (quarter < from || quarter >= to) continue;
    count.clicks += clicks[at] as number;
    if (number % PRECEDING <= from) count.visitors += visitors[at] as number;
  }
  return count;
}
