/** Amounts added up by what they belong to: the cell, the key columns of a table's row. */
export class Sums<Cell extends readonly (string | number)[]> {
  readonly #entries = new Map<string, [cell: Cell, amounts: number[]]>();

  add(cell: Cell, amounts: readonly number[]): void {
    const id = cell.join('\n');
    const entry = this.#entries.get(id);
    if (entry === undefined) this.#entries.set(id, [cell, [...amounts]]);
    else for (let at = 0; at < amounts.length; at++) entry[1][at] = (entry[1][at] ?? 0) + (amounts[at] ?? 0);
  }

  [Symbol.iterator](): Iterator<[cell: Cell, amounts: number[]]> {
    return this.#entries.values();
  }

  /** Cell and amounts in one row, ordered by cell: every process touches the rows of a table in the same order. */
  rows(): (string | number)[][] {
    const sorted = [...this.#entries].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([, [cell, amounts]]) => [...cell, ...amounts]);
  }
}
