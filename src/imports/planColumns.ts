import type { ImportFormat } from '../models/Import.ts';
import { FORMATS, type FormatRules, type Target } from './formats.ts';
import type { RowProblem } from './readRow.ts';

/** Which cells of a row fill which target. */
export interface ColumnPlan {
  rules: FormatRules;
  /** Indexes of the cells that fill each target, by priority; only targets that the file has. */
  cells: Map<Target, number[]>;
  /** Column names in the spelling of the file. */
  header: string[];
  /** Columns whose cells go into `data` under their own names. */
  data: number[];
  /** Columns that are not imported, … */
  rest: number[];
  /** … and their names. */
  unknown: string[];
}

/** Reads the header of a file. Returns an error message when it has no column for the destination. */
export function planColumns(header: string[], format: ImportFormat): ColumnPlan | string {
  const rules = FORMATS[format];
  const at = new Map<string, number>();
  header.forEach((name, index) => {
    if (!at.has(normalized(name))) at.set(normalized(name), index);
  });
  const cells = new Map<Target, number[]>();
  for (const [target, names] of Object.entries(rules.columns) as [Target, string[]][]) {
    const found = names.flatMap((name) => at.get(normalized(name)) ?? []);
    if (found.length > 0) cells.set(target, found);
  }
  if (!cells.has('destination')) return noDestination(header, format);
  const known = new Set([...cells.values()].flat());
  const others = [...header.keys()].filter((index) => !known.has(index) && header[index]?.trim());
  const isData = (index: number) => rules.restIsData?.but.test(header[index]?.trim() ?? '') === false;
  const rest = others.filter((index) => !isData(index));
  const unknown = rest.map((index) => header[index] ?? '');
  return { rules, cells, header, data: others.filter(isData), rest, unknown };
}

function noDestination(header: string[], format: ImportFormat): string {
  const names = (FORMATS[format].columns.destination ?? []).map((name) => `"${name}"`).join(' or ');
  const found = header.map((name) => `"${name}"`).join(', ');
  return `The first line has no column for the destination. In the format ${format} it is called ${names}. Found: ${found.slice(0, 300)}.`;
}

function normalized(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Characters of a note: a row may have a hundred unknown columns. */
const MAX_NOTE_LENGTH = 2000;

/** The note that a value, or several by name, were not imported. Programs parse the JSON after the colon. */
export function notImported(value: unknown): string {
  const text = JSON.stringify(value);
  return `Not taken over: ${text.length > MAX_NOTE_LENGTH ? `${text.slice(0, MAX_NOTE_LENGTH)}…` : text}.`;
}

/** One note with all cells of a row that were not imported, by column name; empty when there are none. */
export function unusedCells(plan: ColumnPlan, cells: string[], used: ReadonlySet<number>): RowProblem[] {
  const usedValues = new Set([...used].map((at) => cells[at]?.trim()));
  const left: [string, string][] = [];
  const add = (at: number) => {
    const cell = cells[at]?.trim();
    if (cell) left.push([plan.header[at] ?? '', cell]);
  };
  for (const at of plan.rest) add(at);
  // Nothing is lost where another column with the same value was imported.
  for (const indexes of plan.cells.values()) {
    for (const at of indexes) if (!used.has(at) && !usedValues.has(cells[at]?.trim())) add(at);
  }
  return left.length > 0 ? [{ column: '', message: notImported(Object.fromEntries(left)) }] : [];
}
