import { plainCell, type Row, shownCell, valueAt } from './cells.ts';
import { fit, pad, widthOf } from './width.ts';

const GAP = 2;
/** Narrower than this a cell says little: rather a column less. */
const COMFORTABLE = 14;

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
  const widths = fitWidths(natural, width, (at) => /(^|_)id$/.test(columns[at] ?? ''));
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

/**
 * A record as lines of name and value. Values are not cut: this is where people look for all of it. A list of records is a table below
 * its name, and what is unset is left out unless it was asked for.
 */
export function recordLines(record: Row, fields: string[], width: number, style: Style): string[] {
  const nameWidth = Math.max(...fields.map((field) => widthOf(headOf(field))));
  return fields.flatMap((field) => {
    const value = valueAt(record, field);
    if (isRows(value)) {
      const columns = Object.keys(value[0] ?? {});
      const indent = '  ';
      const lines = fittedTable(value, columns, width - indent.length, style).map((line) => indent + line);
      return [style.head(headOf(field)), ...lines];
    }
    const shown = shownCell(value);
    const exact = plainCell(value);
    const text = shown !== exact && typeof value === 'string' ? `${exact} (${shown})` : shown;
    return [`${style.head(pad(headOf(field), nameWidth))}  ${text}`.trimEnd()];
  });
}

/** The widths of the columns that have room. Ids are whole or not there; the widest of the others shrink, the first one last. */
export function fitWidths(natural: number[], width: number, isWhole: (at: number) => boolean = () => false): number[] {
  const widths = [...natural];
  const least = (at: number) => (isWhole(at) ? (natural[at] ?? 0) : Math.min(natural[at] ?? 0, COMFORTABLE));
  const gaps = () => GAP * (widths.length - 1);
  const needed = () => widths.reduce((sum, _, at) => sum + least(at), gaps());
  while (widths.length > 1 && needed() > width) widths.pop();
  for (;;) {
    const over = widths.reduce((sum, each) => sum + each, gaps()) - width;
    if (over <= 0) return widths;
    const shrinkable = widths.map((each, at) => (each > least(at) && at > 0 ? each : 0));
    const widest = Math.max(...shrinkable);
    const at = widest > 0 ? shrinkable.lastIndexOf(widest) : 0;
    const next = Math.max(...shrinkable.filter((_, other) => other !== at), least(at));
    const shrunk = Math.max((widths[at] ?? 0) - over, at === 0 ? 1 : next);
    widths[at] = shrunk === widths[at] ? shrunk - 1 : shrunk;
  }
}

function isRows(value: unknown): value is Row[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => item !== null && typeof item === 'object');
}

function headOf(column: string): string {
  return column.replaceAll('_', ' ').replaceAll('.', ' ').toUpperCase();
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' || value === null;
}
