import { COUNTED_CLASSES, type CountedClass, type DayTotals } from './DayTotals.ts';
import { Pairs } from './Pairs.ts';

const ALL = COUNTED_CLASSES.length - 1;

/** Clicks and visitors of a day by class and number, and who was seen in each class; `all` is a class of its own. */
export class ClassCounts {
  readonly #counts = COUNTED_CLASSES.map(() => new Map<number, [clicks: number, visitors: number]>());
  readonly #seen = COUNTED_CLASSES.map(() => new Pairs(0));

  /** Calls `count` for the class of a click (its code) and for `all`, each with those seen in it. */
  forClasses(code: number, count: (code: number, seen: Pairs) => void): void {
    count(code, this.#seen[code] as Pairs);
    count(ALL, this.#seen[ALL] as Pairs);
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

  /** By class; without classes that had no clicks. */
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
