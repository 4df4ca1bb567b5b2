import { ClassCounts } from './ClassCounts.ts';
import type { Part } from './Part.ts';

/** Counts clicks of a whole day into `counts` by what `numbersOf` gives for a click: the numbers of its keys. */
export function countKeys(
  counts: ClassCounts,
  part: Part,
  numbersOf: (at: number) => readonly number[] | number,
): void {
  for (let at = 0; at < part.length; at += 1) {
    const [high, low] = [part.high[at] as number, part.low[at] as number];
    const numbers = numbersOf(at);
    counts.forClasses(part.classes[at] as number, (code, seen) => {
      if (typeof numbers === 'number') counts.add(code, numbers, seen.add(high, low, numbers));
      else for (const number of numbers) counts.add(code, number, seen.add(high, low, number));
    });
  }
}
