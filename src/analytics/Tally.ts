import { Pairs } from '../rollups/Pairs.ts';
import type { Part } from '../rollups/Part.ts';
import { NEW, OTHER_CELL, Visitors } from './Visitors.ts';

/** Events, and the sum of each UTC day's distinct visitors. */
export interface Count {
  count: number;
  unique: number;
}

/** Cells below this are counted in arrays; numbers of keys that are in no block yet lie above. */
const DENSE = 4_000_000;

/** Counts events and, day by day, their visitors: in all, and by cell (the number of a key, class or bucket). */
export class Tally {
  readonly total: Count = { count: 0, unique: 0 };
  #counts = new Float64Array(64);
  #uniques = new Float64Array(64);
  readonly #far = new Map<number, Count>();
  #seen = new Visitors(0);
  /** Visitors in cells other than their first: most have one alone. */
  #seenElsewhere = new Pairs(0);

  /** Whoever is seen from now on is another visitor. `expected`: about how many events there will be. */
  beginDay(expected: number): void {
    this.#seen = new Visitors(expected / 2);
    this.#seenElsewhere = new Pairs(expected / 10);
  }

  /**
   * Counts events of a part: the one at `places[n]` in the cell `cells[n]`. An event in several cells stands there as
   * often, one after another.
   */
  addEvents({ high, low, weights }: Part, places: Uint32Array, cells: Uint32Array): void {
    const seen = this.#seen;
    let [count, unique, last] = [0, 0, -1];
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at] as number;
      const cell = cells[at] as number;
      const weight = weights ? (weights[place] as number) : 1;
      const [one, other] = [high[place] as number, low[place] as number];
      const met = seen.meet(one, other, cell);
      if (place !== last) count += weight;
      if (met === NEW) unique += 1;
      const isNew = met === NEW || (met === OTHER_CELL && this.#seenElsewhere.add(one, other, cell));
      this.addCounted(cell, weight, isNew ? 1 : 0);
      last = place;
    }
    this.addTotals(count, unique);
  }

  /** Of a whole day, or a stretch of one, which was counted before. */
  addTotals(clicks: number, visitors: number): void {
    this.total.count += clicks;
    this.total.unique += visitors;
  }

  /** The same for a cell. */
  addCounted(cell: number, clicks: number, visitors: number): void {
    if (cell >= this.#counts.length) {
      if (cell >= DENSE) {
        this.#addFar(cell, clicks, visitors);
        return;
      }
      this.#grow(cell);
    }
    this.#counts[cell] = (this.#counts[cell] as number) + clicks;
    this.#uniques[cell] = (this.#uniques[cell] as number) + visitors;
  }

  /** Cells with events. */
  cells(): [cell: number, count: Count][] {
    const found: [number, Count][] = [...this.#far];
    for (let cell = 0; cell < this.#counts.length; cell += 1) {
      const count = this.#counts[cell] as number;
      if (count > 0) found.push([cell, { count, unique: this.#uniques[cell] as number }]);
    }
    return found;
  }

  #addFar(cell: number, clicks: number, visitors: number): void {
    const before = this.#far.get(cell) ?? { count: 0, unique: 0 };
    this.#far.set(cell, { count: before.count + clicks, unique: before.unique + visitors });
  }

  #grow(cell: number): void {
    const length = Math.min(DENSE, 2 ** Math.ceil(Math.log2(cell + 1)));
    const [counts, uniques] = [new Float64Array(length), new Float64Array(length)];
    counts.set(this.#counts);
    uniques.set(this.#uniques);
    this.#counts = counts;
    this.#uniques = uniques;
  }
}
