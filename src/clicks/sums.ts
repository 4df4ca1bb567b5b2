type Cell = readonly (string | number)[];

/** Amounts added up by what they belong to (the cell: the key columns of a table's row). */
export class Sums {
  readonly #rows = new Map<string, { cell: Cell; amounts: number[] }>();

  add(cell: Cell, amounts: readonly number[]): void {
    const key = cell.join('\n');
    const row = this.#rows.get(key);
    if (row === undefined) this.#rows.set(key, { cell, amounts: [...amounts] });
    else for (let at = 0; at < amounts.length; at++) row.amounts[at] = (row.amounts[at] ?? 0) + (amounts[at] ?? 0);
  }

  /** Cell and amounts in one row, in the order of the cells: rows that are near each other in a table come together. */
  rows(): (string | number)[][] {
    const sorted = [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([, { cell, amounts }]) => [...cell, ...amounts]);
  }
}
