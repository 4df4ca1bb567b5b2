import { stringify } from 'csv-stringify/sync';

/** A part of a CSV file; its first one has the header. */
export interface CsvPage {
  csv: string;
  nextCursor: string | null;
}

/** Lines of CSV, each with its end. Cells are written as they are: what is read back is what was written. */
export function writeCsv(rows: (string | number | null)[][]): string {
  // A lone carriage return ends a row for whoever reads it, so it needs quotes like a line feed.
  return stringify(rows, { quoted_match: /[\r\n;\t]|^\s|\s$/ });
}
