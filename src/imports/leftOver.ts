import type { ColumnPlan } from './planColumns.ts';
import type { RowProblem } from './readRow.ts';

/** Longest note: a row may have a hundred columns that we do not know. */
const MAX_LENGTH = 2000;

/** Says that a value, or several by name, are not in the link. Programs read what stands behind the colon: it is JSON. */
export function notTaken(value: unknown): string {
  const text = JSON.stringify(value);
  return `Not taken over: ${text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text}.`;
}

/** One note of all cells of a row that nothing was taken from, by the names of their columns. */
export function leftOver(plan: ColumnPlan, cells: string[], used: ReadonlySet<number>): RowProblem[] {
  const taken = new Set([...used].map((at) => cells[at]?.trim()));
  const left: [string, string][] = [];
  const add = (at: number) => {
    const cell = cells[at]?.trim();
    if (cell) left.push([plan.header[at] ?? '', cell]);
  };
  for (const at of plan.rest) add(at);
  // Columns that say the same in other words are nothing that is lost.
  for (const indexes of plan.cells.values()) {
    for (const at of indexes) if (!used.has(at) && !taken.has(cells[at]?.trim())) add(at);
  }
  return left.length > 0 ? [{ column: '', message: notTaken(Object.fromEntries(left)) }] : [];
}
