import type { EventColumns, Money } from './columns/EventColumns.ts';
import { VisitorKeySet } from './columns/visitorSets.ts';
import { Sums } from './Sums.ts';

/** Events, the sum of each UTC day's distinct visitors, and the sums of their values where events have any. */
export interface Count {
  count: number;
  unique: number;
  values?: Sums;
}

/** The visitors of events, numbered within their day. */
export interface EventVisitors {
  /** By the index of an event; of events that were not selected any number. */
  numbers: Uint32Array;
  /** How many visitors the day had up to these events. */
  count: number;
}

/** Cells below this are counted in arrays. Numbers of keys that are in no block yet lie above. */
const DENSE = 4_000_000;

/** Counts events and, day by day, their visitors: in total and by cell (the number of a key, class or bucket). */
export class Tally {
  readonly total: Count = { count: 0, unique: 0 };
  #counts = new Float64Array(64);
  #uniques = new Float64Array(64);
  readonly #sparse = new Map<number, Count>();
  readonly #sums = new Map<number, Sums>();
  /** By the number of a visitor the cell in which the visitor was first met, plus one; 0: not met yet. */
  #firstCells = new Uint32Array(0);
  /** Visitors in cells other than their first; most have only one. */
  #seenElsewhere = new VisitorKeySet(0);

  /** Begins a day, whose visitors are counted anew. `expected`: about how many events it has. */
  beginDay(expected: number): void {
    this.#firstCells.fill(0);
    this.#seenElsewhere = new VisitorKeySet(expected / 10);
  }

  /**
   * Counts the event at `indexes[n]` in the cell `cells[n]`. An event in several cells is listed once for each, in direct
   * succession.
   */
  addEvents(events: EventColumns, visitors: EventVisitors, indexes: Uint32Array, cells: Uint32Array): void {
    const { high, low, weights } = events;
    const { numbers } = visitors;
    const firstCells = this.#firstCellsOf(visitors.count);
    let [count, unique, last] = [0, 0, -1];
    for (let at = 0; at < indexes.length; at += 1) {
      const index = indexes[at] as number;
      const cell = cells[at] as number;
      const weight = weights ? (weights[index] as number) : 1;
      const visitor = numbers[index] as number;
      const first = firstCells[visitor] as number;
      if (index !== last) count += weight;
      let isNew = first === 0;
      if (isNew) {
        firstCells[visitor] = cell + 1;
        unique += 1;
      } else if (first !== cell + 1) {
        isNew = this.#seenElsewhere.add(high[index] as number, low[index] as number, cell);
      }
      this.addCounted(cell, weight, isNew ? 1 : 0);
      last = index;
    }
    this.addTotals(count, unique);
    if (events.values) this.#addValues(events.values, indexes, cells);
  }

  /** Adds figures of a day, or a part of it, that were counted before. */
  addTotals(clicks: number, visitors: number): void {
    this.total.count += clicks;
    this.total.unique += visitors;
  }

  /** Adds figures of a cell. */
  addCounted(cell: number, clicks: number, visitors: number): void {
    if (cell >= this.#counts.length) {
      if (cell >= DENSE) {
        this.#addSparse(cell, clicks, visitors);
        return;
      }
      this.#grow(cell);
    }
    this.#counts[cell] = (this.#counts[cell] as number) + clicks;
    this.#uniques[cell] = (this.#uniques[cell] as number) + visitors;
  }

  /** Cells with events. */
  cells(): [cell: number, count: Count][] {
    const found: [number, Count][] = [...this.#sparse];
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

  /** In a loop of its own, because clicks have no values. */
  #addValues(values: readonly (Money | null)[], indexes: Uint32Array, cells: Uint32Array): void {
    let last = -1;
    for (let at = 0; at < indexes.length; at += 1) {
      const index = indexes[at] as number;
      const money = values[index];
      if (money) {
        const cell = cells[at] as number;
        const sums = this.#sums.get(cell) ?? new Sums();
        this.#sums.set(cell, sums);
        sums.add(money);
        this.total.values ??= new Sums();
        if (index !== last) this.total.values.add(money);
      }
      last = index;
    }
  }

  #firstCellsOf(visitors: number): Uint32Array {
    if (visitors > this.#firstCells.length) {
      const larger = new Uint32Array(Math.max(visitors, 2 * this.#firstCells.length));
      larger.set(this.#firstCells);
      this.#firstCells = larger;
    }
    return this.#firstCells;
  }

  #addSparse(cell: number, clicks: number, visitors: number): void {
    const count = this.#sparse.get(cell);
    if (count) {
      count.count += clicks;
      count.unique += visitors;
    } else this.#sparse.set(cell, { count: clicks, unique: visitors });
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
