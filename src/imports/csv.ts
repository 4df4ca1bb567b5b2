import { Readable } from 'node:stream';
import { parse } from 'csv-parse';

/** A row of a file below its header. */
export interface CsvRow {
  /** The line that it begins in; the first line of the file is 1. */
  line: number;
  cells: string[];
  /** Of a row that is several links: which of them, from 0, and its short URL. */
  nth?: number;
  shortUrl?: string;
}

/** Longest row. The largest link has fields of some 100 KB together. */
const MAX_ROW_BYTES = 1_000_000;

/** The file cannot be read on from here; `message` says why. */
export class UnreadableCsv extends Error {}

/** The rows of a file, in constant memory. Empty rows are left out. Throws `UnreadableCsv`. */
export async function* readCsv(source: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<CsvRow> {
  const parser = parse({
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    // Told and not discovered: a quoted line break may be another than those between rows.
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
