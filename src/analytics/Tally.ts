import { Pairs } from '../rollups/Pairs.ts';
import type { Money, Part } from '../rollups/Part.ts';
import { Sums } from './Sums.ts';
import { NEW, OTHER_CELL, Visitors } from './Visitors.ts';

/** Events, the sum of each UTC day's distinct visitors, and sums of what they are worth where they are worth something. */
export interface Count {
  count: number;
  unique: number;
  values?: Sums;
}

/** Cells below this are counted in arrays; numbers of keys that are in no block yet lie above. */
const DENSE = 4_000_000;

/** Counts events and, day by day, their visitors: in all, and by cell (the number of a key, class or bucket). */
export class Tally {
  readonly total: Count = { count: 0, unique: 0 };
  #counts = new Float64Array(64);
  #uniques = new Float64Array(64);
  readonly #far = new Map<number, Count>();
  readonly #sums = new Map<number, Sums>();
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
  addEvents(part: Part, places: Uint32Array, cells: Uint32Array): void {
    const { high, low, weights } = part;
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
    if (part.values) this.#addValues(part.values, places, cells);
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
    if (this.#sums.size === 0) return found;
    return found.map(([cell, count]) => {
      const values = this.#sums.get(cell);
      return [cell, values ? { ...count, values } : count];
    });
  }

  /** Apart from counting: clicks have no values. */
  #addValues(values: readonly (Money | null)[], places: Uint32Array, cells: Uint32Array): void {
    let last = -1;
    for (let at = 0; at < places.length; at += 1) {
      const place = places[at] as number;
      const money = values[place];
      if (money) {
        const cell = cells[at] as number;
        const sums = this.#sums.get(cell) ?? new Sums();
        this.#sums.set(cell, sums);
        sums.add(money);
        this.total.values ??= new Sums();
        if (place !== last) this.total.values.add(money);
      }
      last = place;
    }
  }

  #addFar(cell: number, clicks: number, visitors: number): void {
    const count = this.#far.get(cell);
    if (count) {
      count.count += clicks;
      count.unique += visitors;
    } else this.#far.set(cell, { count: clicks, unique: visitors });
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
