import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';

/** A row of a file below its header. */
export interface CsvRow {
  /** The line of the file where the row begins, from 1. */
  line: number;
  cells: string[];
  /** For a row that becomes several links: the index of this one, from 0, and its short URL. */
  nth?: number;
  shortUrl?: string;
}

/** The largest link has fields of about 100 KB together. */
const MAX_ROW_BYTES = 1_000_000;

/** The file cannot be read any further; `message` is for the customer. */
export class UnreadableCsv extends Error {}

/** Reads the rows of a file in constant memory, without empty ones. Throws `UnreadableCsv`. */
export async function* readCsv(source: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<CsvRow> {
  const parser = parse({
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    // Explicit, because a quoted line break that differs from those between rows would mislead the detection.
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: MAX_ROW_BYTES,
  });
  const bytes = Readable.from(source, { objectMode: true });
  bytes.on('error', (error) => parser.destroy(error));
  bytes.pipe(parser);
  let line = 1;
  let isHeader = true;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      const begin = line;
      line += 1 + lineBreaks(cells);
      if (cells.every((cell) => cell.trim() === '')) continue;
      if (!isHeader) yield { line: begin, cells };
      isHeader = false;
    }
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith('CSV_')) throw error;
    throw new UnreadableCsv(`The file cannot be read as CSV from line ${line} on.`);
  } finally {
    bytes.destroy();
    parser.destroy();
  }
}

function lineBreaks(cells: string[]): number {
  let count = 0;
  for (const cell of cells) {
    if (cell.includes('\n') || cell.includes('\r')) count += cell.split(/\r\n|\n|\r/).length - 1;
  }
  return count;
}

/** A part of a CSV file. The first part has the header. */
export interface CsvPage {
  csv: string;
  nextCursor: string | null;
}

/**
 * Writes lines of CSV that read back as the same cells. For a `spreadsheet`, cells that it would run as formulas (they begin
 * with = + - @, a tab or a carriage return) get a single quote in front, as OWASP recommends against CSV injection.
 */
export function writeCsv(rows: (string | number | null)[][], { spreadsheet = false } = {}): string {
  // Readers end a row at a lone carriage return, so it needs quotes like a line feed.
  return stringify(rows, { quoted_match: /[\r\n;\t]|^\s|\s$/, escape_formulas: spreadsheet });
}
