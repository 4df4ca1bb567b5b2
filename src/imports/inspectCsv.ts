import { parse } from 'csv-parse/sync';

/** The facts about a file that are needed before its rows are parsed. */
export interface CsvFacts {
  header: string[];
  delimiter: string;
  /** Rows below the header that are not empty. */
  rows: number;
}

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const BOM = [0xef, 0xbb, 0xbf];
/** Delimiters that spreadsheets write. The one that the first line has most of is taken, in doubt the comma. */
const DELIMITERS = [',', ';', '\t'];
const DELIMITER_BYTES = new Set(DELIMITERS.map((sign) => sign.charCodeAt(0)));
/** A longer first line cannot be a header. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Inspects a file in one pass over its bytes. Returns an error message when the file as a whole cannot be imported. */
export async function inspectCsv(
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
  maxRows: number,
): Promise<CsvFacts | string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const scan = new Scan();
  try {
    for await (const bytes of source) {
      utf8.decode(bytes, { stream: true });
      scan.take(bytes);
      if (scan.header === null && scan.headerBytes > MAX_HEADER_BYTES)
        return 'The first line is too long to be a header.';
    }
    utf8.decode();
  } catch {
    return 'The file is not UTF-8. Save it as "CSV UTF-8".';
  }
  scan.end();
  if (scan.header === null) return 'The file is empty. Its first line must name the columns.';
  if (scan.quotedSince > 0) return `The quoted cell that begins in line ${scan.quotedSince} never ends.`;
  if (scan.rows > maxRows) return `The file has ${scan.rows} rows, more than ${maxRows}. Split it.`;
  return { header: cellsOf(scan.header, scan.delimiter), delimiter: scan.delimiter, rows: scan.rows };
}

/** Counts rows as csv-parse will see them: a line break inside quotes does not end a row. */
class Scan {
  header: string | null = null;
  headerBytes = 0;
  delimiter = ',';
  rows = 0;
  /** The line in which the open quote began; 0 outside quotes. */
  quotedSince = 0;
  private offset = 0;
  private line = 1;
  private hasContent = false;
  private previous = LF;
  private isReopening = false;
  private delimiters = DELIMITER_BYTES;
  private pieces: Buffer[] = [];

  take(bytes: Buffer): void {
    let begin = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      const isBreak = byte === LF || byte === CR;
      this.offset += 1;
      if (this.offset <= BOM.length && byte === BOM[this.offset - 1]) continue;
      if (byte === CR || (byte === LF && this.previous !== CR)) this.line += 1;
      if (this.quotedSince > 0) {
        if (byte === QUOTE) {
          this.quotedSince = 0;
          this.isReopening = true;
        }
        this.hasContent ||= byte > SPACE && byte !== QUOTE;
      } else if (byte === QUOTE) {
        const isFirst = this.previous === LF || this.previous === CR || this.delimiters.has(this.previous);
        if (this.isReopening || isFirst) this.quotedSince = this.line;
        // Doubled inside of quotes, or inside of a cell without quotes, it belongs to the cell.
        this.hasContent ||= !isFirst;
        this.isReopening = false;
      } else {
        this.isReopening = false;
        if (isBreak) begin = this.endRecord(bytes, begin, at);
        else this.hasContent ||= byte > SPACE && !this.delimiters.has(byte);
      }
      this.previous = byte;
    }
    if (this.header === null) this.keep(bytes.subarray(begin));
  }

  end(): void {
    if (this.quotedSince === 0) this.endRecord(Buffer.alloc(0), 0, 0);
  }

  private endRecord(bytes: Buffer, begin: number, at: number): number {
    if (this.header === null) {
      this.keep(bytes.subarray(begin, at));
      if (this.hasContent) this.readHeader();
      else this.pieces = [];
    } else if (this.hasContent) this.rows += 1;
    this.hasContent = false;
    return at + 1;
  }

  private keep(piece: Buffer): void {
    this.pieces.push(Buffer.from(piece));
    this.headerBytes += piece.length;
  }

  private readHeader(): void {
    this.header = Buffer.concat(this.pieces)
      .toString()
      .replace(/^\uFEFF/, '');
    this.delimiter = delimiterOf(this.header);
    this.delimiters = new Set([this.delimiter.charCodeAt(0)]);
  }
}

function delimiterOf(header: string): string {
  const bare = header.replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((sign) => bare.split(sign).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

function cellsOf(header: string, delimiter: string): string[] {
  const [cells = []] = parse(header, { delimiter, relax_quotes: true }) as string[][];
  return cells.map((name) => name.trim());
}
