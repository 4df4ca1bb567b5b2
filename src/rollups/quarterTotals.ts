import { QUARTER_MS, QUARTERS_A_DAY } from '../clicks/periods.ts';
import type { ClassCounts } from './ClassCounts.ts';
import type { DayTotals } from './DayTotals.ts';
import type { Part } from './Part.ts';

/** Under this dimension days are counted by the quarters of an hour in which visitors were there. */
export const BY_QUARTER = 'quarter';

/** One number for "there in this quarter, and in none of the day before". */
const PLACES = QUARTERS_A_DAY + 1;

/**
 * Counts clicks of a day into `counts` so that any stretch of it that begins and ends with a quarter can be answered
 * exactly: a visitor is new in a stretch with the first quarter in it, which is the one whose former quarter lies before
 * the stretch. The number of an entry is `quarter * 97 + former + 1`; clicks of a quarter are spread over its entries in
 * no particular way. Parts come in the order of time.
 */
export function countQuarters(counts: ClassCounts, part: Part, dayStartMs: number): void {
  for (let at = 0; at < part.length; at += 1) {
    const quarter = Math.floor((part.baseMs + (part.at[at] as number) - dayStartMs) / QUARTER_MS);
    const [high, low] = [part.high[at] as number, part.low[at] as number];
    counts.forClasses(part.classes[at] as number, (code, seen) => {
      // The quarter after the former one: 0 for none.
      const former = seen.put(high, low, 0, quarter + 1);
      const wasHere = former === quarter + 1;
      counts.add(code, quarter * PLACES + (wasHere ? 0 : former), !wasHere);
    });
  }
}

/** Clicks and distinct visitors from quarter `from` of the day up to but without quarter `to`. */
export function countStretch({ numbers, clicks, visitors }: DayTotals, from: number, to: number) {
  const count = { clicks: 0, visitors: 0 };
  for (let at = 0; at < numbers.length; at += 1) {
    const number = numbers[at] as number;
    const quarter = Math.floor(number / PLACES);
    if (quarter < from || quarter >= to) continue;
    count.clicks += clicks[at] as number;
    if (number % PLACES <= from) count.visitors += visitors[at] as number;
  }
  return count;
}
