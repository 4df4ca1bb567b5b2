import { stringify } from 'csv-stringify/sync';

/** A part of a CSV file; its first one has the header. */
export interface CsvPage {
  csv: string;
  nextCursor: string | null;
}

/**
 * Lines of CSV, each with its end. Cells are written as they are: what is read back is what was written. For a
 * `spreadsheet` a cell that it would take for a formula (one that begins with = + - @, a tab or a carriage return) gets a
 * single quote in front, as OWASP advises against CSV injection.
 */
export function writeCsv(rows: (string | number | null)[][], { spreadsheet = false } = {}): string {
  // A lone carriage return ends a row for whoever reads it, so it needs quotes like a line feed.
  return stringify(rows, { quoted_match: /[\r\n;\t]|^\s|\s$/, escape_formulas: spreadsheet });
}
