import { QUARTERS_A_DAY } from '../clicks/periods.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';

/** A row of `click_blocks`: clicks of the quarters from `from` up to but without `to`. */
export interface BlockRow {
  from: number;
  to: number;
  clicks: number;
  /** Which block of these quarters it is: one that is made anew has another. */
  version: number;
}

/** A row of `click_backlog`. */
export interface BacklogRow {
  quarter: number;
  clicks: number;
}

/**
 * Blocks that hold something of the quarters, and quarters that hold something that is in no block; in their order.
 * The version is read before them: when it is still the same later on, nothing of this has changed since.
 */
export async function readBlockRows(
  projectId: string,
  from: number,
  to: number,
  transaction?: Transaction,
): Promise<{ blocks: BlockRow[]; backlog: BacklogRow[]; version: number }> {
  const version = await readVersion(projectId, transaction);
  // A block is no longer than a day, so the key gives those that reach into the range.
  const blocks = await selectBound<BlockRow>(
    `SELECT from_quarter AS "from", to_quarter AS "to", clicks, version FROM click_blocks
     WHERE project_id = $1 AND from_quarter > $2 AND from_quarter < $3 AND to_quarter > $4 ORDER BY from_quarter`,
    [projectId, from - QUARTERS_A_DAY, to, from],
    transaction,
  );
  const backlog = await selectBound<BacklogRow>(
    `SELECT quarter, clicks FROM click_backlog WHERE project_id = $1 AND quarter >= $2 AND quarter < $3 ORDER BY quarter`,
    [projectId, from, to],
    transaction,
  );
  return { blocks, backlog, version };
}

/** Changes whenever blocks or totals of the project do. */
export async function readVersion(projectId: string, transaction?: Transaction): Promise<number> {
  const [row] = await selectBound<{ version: number }>(
    'SELECT version FROM click_versions WHERE project_id = $1',
    [projectId],
    transaction,
  );
  return row?.version ?? 0;
}

/** Gives the new version. */
export async function raiseVersion(projectId: string, transaction: Transaction): Promise<number> {
  const [row] = await selectBound<{ version: number }>(
    `INSERT INTO click_versions (project_id, version) VALUES ($1, 1)
     ON CONFLICT (project_id) DO UPDATE SET version = click_versions.version + 1 RETURNING version`,
    [projectId],
    transaction,
  );
  return (row as { version: number }).version;
}

/** Rows into a table by one statement: bytes do not travel as JSON. */
export async function insertRows(
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  transaction: Transaction,
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const some = rows.slice(at, at + ROWS_AT_ONCE);
    const marks = some.map((row, place) => `(${row.map((_, index) => `$${place * columns.length + index + 1}`)})`);
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${marks.join(', ')}`;
    await selectBound(sql, some.flat(), transaction);
  }
}

/** Few enough for the 999 parameters that a statement may always have. */
const ROWS_AT_ONCE = 100;
