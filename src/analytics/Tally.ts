import { Pairs } from '../rollups/Pairs.ts';

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
  #seen = new Pairs(0);
  #seenByCell = new Pairs(0);

  /** Whoever is seen from now on is another visitor. `expected`: about how many events there will be. */
  beginDay(expected: number): void {
    this.#seen = new Pairs(expected / 2);
    this.#seenByCell = new Pairs(expected / 2);
  }

  addTotal(high: number, low: number, weight: number): void {
    this.total.count += weight;
    if (this.#seen.add(high, low, 0)) this.total.unique += 1;
  }

  addCell(cell: number, high: number, low: number, weight: number): void {
    this.addCounted(cell, weight, this.#seenByCell.add(high, low, cell) ? 1 : 0);
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
