import { select } from '../../db/database.ts';
import { withJsonRows } from '../../db/jsonRows.ts';
import type { Transaction } from '../../db/sequelize.ts';
import type { Outcome, RowResult } from './decision.ts';

/** A line of the report on an import: a row of its file, or one of several problems of a row. */
export interface ReportLine {
  line: number;
  part: number;
  outcome: Outcome;
  field: string;
  message: string;
}

const COLUMNS = {
  import_id: 'text',
  line: 'integer',
  part: 'integer',
  outcome: 'text',
  field: 'text',
  message: 'text',
  link_id: 'text',
} as const;
const NAMES = Object.keys(COLUMNS).join(', ');
/** More than a row has problems: several links of one row have their lines behind each other. */
const PARTS = 1000;
const NO_PROBLEM = { column: '', message: '' };

/** Notes what became of rows. */
export async function writeRows(importId: string, results: RowResult[], transaction: Transaction): Promise<void> {
  const rows = results.flatMap(({ line, nth, outcome, problems, linkId }) =>
    (problems.length > 0 ? problems : [NO_PROBLEM]).map(({ column, message }, part) => [
      importId,
      line,
      nth * PARTS + part,
      outcome,
      column,
      message,
      linkId,
    ]),
  );
  await withJsonRows(COLUMNS, rows, `INSERT INTO import_rows (${NAMES}) SELECT ${NAMES} FROM given`, transaction);
}

/** The lines of a report after a place in it, in the order of the file. */
export function readRows(
  importId: string,
  { after, limit, outcome }: { after: [number, number]; limit: number; outcome?: Outcome },
): Promise<ReportLine[]> {
  return select<ReportLine>(
    `SELECT line, part, outcome, field, message FROM import_rows
      WHERE import_id = :importId AND (line, part) > (:line, :part) ${outcome ? 'AND outcome = :outcome' : ''}
      ORDER BY line, part LIMIT :limit`,
    { importId, line: after[0], part: after[1], limit, outcome },
  );
}

export async function forgetRows(importId: string, transaction: Transaction): Promise<void> {
  await select('DELETE FROM import_rows WHERE import_id = :importId', { importId }, transaction);
}
