import type { Principal } from '../../access/principal.ts';
import { type CsvPage, writeCsv } from '../../imports/writeCsv.ts';
import { decodeCursor, encodeCursor } from '../../kernel/cursor.ts';
import { findImport } from './listImports.ts';
import { type ReportLine, readRows } from './rowReport.ts';

/** Lines written at once. */
const PAGE = 2000;

/** The problems of the rows that failed, as CSV: `row` (line of the file), `column`, `message`. */
export function importErrors(principal: Principal, id: string, cursor?: string | null): Promise<CsvPage> {
  const cells = ({ line, field, message }: ReportLine) => [line, field, message];
  return report(principal, id, cursor, { kind: 'errors', header: ['row', 'column', 'message'], cells });
}

/** What became of every row, in a dry run what would become of it; a line for each problem of a row. */
export function importRows(principal: Principal, id: string, cursor?: string | null): Promise<CsvPage> {
  const cells = ({ line, outcome, field, message }: ReportLine) => [line, outcome, field, message];
  return report(principal, id, cursor, { kind: 'rows', header: ['row', 'outcome', 'column', 'message'], cells });
}

interface Report {
  kind: 'errors' | 'rows';
  header: string[];
  cells: (line: ReportLine) => (string | number)[];
}

async function report(
  principal: Principal,
  id: string,
  cursor: string | null | undefined,
  { kind, header, cells }: Report,
): Promise<CsvPage> {
  const { id: importId } = await findImport(principal, id);
  const question = ['import', kind, importId];
  const [line, part] = cursor ? decodeCursor(question, cursor, 2).map(Number) : [0, 0];
  const after: [number, number] = [line || 0, part || 0];
  const lines = await readRows(importId, {
    after,
    limit: PAGE + 1,
    ...(kind === 'errors' ? { outcome: 'failed' } : {}),
  });
  const shown = lines.slice(0, PAGE);
  const last = shown.at(-1);
  // It quotes the imported file, and people open it in a spreadsheet program.
  const csv = writeCsv([...(cursor ? [] : [header]), ...shown.map(cells)], { spreadsheet: true });
  return { csv, nextCursor: lines.length > PAGE && last ? encodeCursor(question, [last.line, last.part]) : null };
}
