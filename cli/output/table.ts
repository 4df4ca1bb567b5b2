import { plainCell, type Row, shownCell, valueAt } from './cells.ts';
import { fit, pad, widthOf } from './width.ts';

const GAP = 2;
/** Narrower than this a cell says nothing. */
const NARROWEST = 8;

interface Style {
  head(text: string): string;
}

/** The rows with a header, as wide as the terminal: long cells are cut, and columns that find no room are left out from the right. */
export function fittedTable(rows: Row[], columns: string[], width: number, style: Style): string[] {
  const cells = rows.map((row) => columns.map((column) => shownCell(valueAt(row, column))));
  const isNumber = columns.map((column) => rows.length > 0 && rows.every((row) => isCount(valueAt(row, column))));
  const natural = columns.map((column, at) =>
    Math.max(widthOf(headOf(column)), ...cells.map((line) => widthOf(line[at] ?? ''))),
  );
  const widths = fitWidths(natural, width);
  const line = (texts: string[]) =>
    widths
      .map((columnWidth, at) => pad(fit(texts[at] ?? '', columnWidth), columnWidth, isNumber[at]))
      .join(' '.repeat(GAP))
      .trimEnd();
  return [style.head(line(columns.map(headOf))), ...cells.map(line)];
}

/** The rows for programs: separated by tabs, nothing cut. */
export function tabbedTable(rows: Row[], columns: string[], hasHeader: boolean): string[] {
  const lines = rows.map((row) => columns.map((column) => plainCell(valueAt(row, column))).join('\t'));
  return hasHeader ? [columns.join('\t'), ...lines] : lines;
}

/** A record as lines of name and value. Values are not cut: this is where people look for all of it. */
export function recordLines(record: Row, fields: string[], style: Style): string[] {
  const width = Math.max(...fields.map((field) => widthOf(headOf(field))));
  return fields.map((field) => {
    const value = valueAt(record, field);
    const shown = shownCell(value);
    const exact = plainCell(value);
    const text = shown !== exact && typeof value === 'string' ? `${exact} (${shown})` : shown;
    return `${style.head(pad(headOf(field), width))}  ${text}`.trimEnd();
  });
}

/** The widths of the columns that have room: the widest ones shrink first. */
export function fitWidths(natural: number[], width: number): number[] {
  const widths = [...natural];
  const total = () => widths.reduce((sum, each) => sum + each, 0) + GAP * (widths.length - 1);
  const least = () => widths.reduce((sum, each) => sum + Math.min(each, NARROWEST), 0) + GAP * (widths.length - 1);
  while (widths.length > 1 && least() > width) widths.pop();
  while (total() > width) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST && widths.length > 1) break;
    if (widest <= 1) break;
    widths[widths.lastIndexOf(widest)] = widest - 1;
  }
  return widths;
}

function headOf(column: string): string {
  return column.replaceAll('_', ' ').replaceAll('.', ' ').toUpperCase();
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' || value === null;
}
