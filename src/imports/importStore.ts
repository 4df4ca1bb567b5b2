import { deleteOldest } from '../db/deleteOldest.ts';
import { insertInto, sqlTime } from '../db/jsonRows.ts';
import { query, queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { MAX_LINK_IDS } from '../events/presentLink.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { ImportChunk } from '../models/ImportChunk.ts';
import type { Outcome, RowResult } from './decision.ts';

/** Stores a file in chunks, so that any process can run its import. */
export async function storeFile(
  importId: string,
  file: AsyncIterable<Buffer>,
  transaction: Transaction,
): Promise<void> {
  let number = 0;
  for await (const bytes of file) {
    await ImportChunk.create({ importId, number, bytes }, { transaction });
    number += 1;
  }
}

/** Reads a stored file, one chunk at a time. */
export async function* readFile(importId: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const chunk = await ImportChunk.findOne({ where: { importId, number } });
    if (!chunk) return;
    yield chunk.bytes;
  }
}

export async function deleteFile(importId: string, transaction: Transaction): Promise<void> {
  await ImportChunk.destroy({ where: { importId }, transaction });
}

/** A line of an import's report: a row of its file, or one of several problems of a row. */
export interface ReportLine {
  line: number;
  part: number;
  outcome: Outcome;
  field: string;
  message: string;
  /** The link that was created or changed, or was there already; null where the row made none. */
  linkId: string | null;
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
/** More than the problems of one link: `part` numbers the problems of all links of a row, link after link. */
const PARTS_PER_LINK = 1000;
const NO_PROBLEM = { column: '', message: '' };

/** Writes the outcomes of rows into the report. */
export async function writeRows(importId: string, results: RowResult[], transaction: Transaction): Promise<void> {
  const rows = results.flatMap(({ line, nth, outcome, problems, linkId }) =>
    (problems.length > 0 ? problems : [NO_PROBLEM]).map(({ column, message }, part) => [
      importId,
      line,
      nth * PARTS_PER_LINK + part,
      outcome,
      column,
      message,
      linkId,
    ]),
  );
  await insertInto('import_rows', COLUMNS, rows, { transaction });
}

/** The lines of a report after `after` (line and part), in the order of the file. */
export function readRows(
  importId: string,
  { after, limit, outcome }: { after: [number, number]; limit: number; outcome?: Outcome | null | undefined },
): Promise<ReportLine[]> {
  return query<ReportLine>(
    `SELECT line, part, outcome, field, message, link_id AS "linkId" FROM import_rows
      WHERE import_id = :importId AND (line, part) > (:line, :part) ${outcome ? 'AND outcome = :outcome' : ''}
      ORDER BY line, part LIMIT :limit`,
    { importId, line: after[0], part: after[1], limit, outcome },
  );
}

export async function deleteRows(importId: string, transaction: Transaction): Promise<void> {
  await query('DELETE FROM import_rows WHERE import_id = :importId', { importId }, transaction);
}

/** The ids of the links that an import created or changed; at most one more than an event lists. */
export async function touchedLinks(importId: string, transaction: Transaction): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `SELECT link_id AS id FROM import_rows
      WHERE import_id = :importId AND outcome IN ('created', 'updated') AND link_id IS NOT NULL
      GROUP BY link_id ORDER BY MIN(line) LIMIT :limit`,
    { importId, limit: MAX_LINK_IDS + 1 },
    transaction,
  );
  return rows.map(({ id }) => id);
}

/**
 * Deletes a batch of what is left of the oldest import that ended more than IMPORT_RETENTION_DAYS ago: its rows, what is left of
 * its file, and at last itself. Returns whether there may be more.
 */
export async function purgeImports(batch: number): Promise<boolean> {
  const before = sqlTime(clock.now() - config.importRetentionDays * DAY_MS);
  const sql = 'SELECT id FROM imports WHERE finished_at < $1 ORDER BY created_at, id LIMIT 1';
  const [old] = await queryRaw<{ id: string }>(sql, [before]);
  if (!old) return false;
  const owned = { where: 'import_id = $1', values: [old.id], batch };
  if ((await deleteOldest({ ...owned, table: 'import_rows', oldestBy: 'import_id, line, part' })) > 0) return true;
  if ((await deleteOldest({ ...owned, table: 'import_chunks', oldestBy: 'import_id, number' })) > 0) return true;
  return (await deleteOldest({ table: 'imports', where: 'id = $1', values: [old.id], oldestBy: 'id', batch })) > 0;
}
