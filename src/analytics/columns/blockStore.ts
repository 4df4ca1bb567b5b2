import { type BacklogRow, readBacklog } from '../../clicks/backlogStore.ts';
import { queryRaw } from '../../db/query.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { QUARTERS_A_DAY } from '../../kernel/clock.ts';

/** Few enough for the 999 parameters that every SQLite allows in a statement. */
const ROWS_AT_ONCE = 100;

/** A row of `click_blocks`: clicks of the quarters from `from` up to but without `to`. */
export interface BlockRow {
  from: number;
  to: number;
  clicks: number;
  /** A rebuilt block has another version. */
  version: number;
}

/**
 * The blocks that overlap a range of quarters, and its quarters with clicks that are in no block, each in order. The version is read
 * before them: as long as it stays the same, none of them has changed.
 */
export async function readBlockRows(
  projectId: string,
  from: number,
  to: number,
  transaction?: Transaction,
): Promise<{ blocks: BlockRow[]; backlog: BacklogRow[]; version: number }> {
  const version = await readVersion(projectId, transaction);
  // A block is no longer than a day, which bounds the search for blocks that begin before the range.
  const blocks = await queryRaw<BlockRow>(
    `SELECT from_quarter AS "from", to_quarter AS "to", clicks, version FROM click_blocks
     WHERE project_id = $1 AND from_quarter > $2 AND from_quarter < $3 AND to_quarter > $4 ORDER BY from_quarter`,
    [projectId, from - QUARTERS_A_DAY, to, from],
    transaction,
  );
  return { blocks, backlog: await readBacklog(projectId, from, to, transaction), version };
}

/** The version of a project's blocks and totals, which changes whenever they do. */
export async function readVersion(projectId: string, transaction?: Transaction): Promise<number> {
  const [row] = await queryRaw<{ version: number }>(
    'SELECT version FROM click_versions WHERE project_id = $1',
    [projectId],
    transaction,
  );
  return row?.version ?? 0;
}

/** Returns the new version. */
export async function raiseVersion(projectId: string, transaction: Transaction): Promise<number> {
  const [row] = await queryRaw<{ version: number }>(
    `INSERT INTO click_versions (project_id, version) VALUES ($1, 1)
     ON CONFLICT (project_id) DO UPDATE SET version = click_versions.version + 1 RETURNING version`,
    [projectId],
    transaction,
  );
  return (row as { version: number }).version;
}

/** Inserts rows with parameters instead of JSON, which cannot carry bytes. */
export async function insertRows(
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  transaction: Transaction,
): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const some = rows.slice(at, at + ROWS_AT_ONCE);
    const marks = some.map((row, index) => `(${row.map((_, column) => `$${index * columns.length + column + 1}`)})`);
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${marks.join(', ')}`;
    await queryRaw(sql, some.flat(), transaction);
  }
}

/** A day of a project; UTC, since the epoch. */
export interface ProjectDay {
  projectId: string;
  day: number;
}

/** Records that the day has no totals, so that they are built even after a process is killed in between. */
export async function markUncounted(projectId: string, day: number, transaction: Transaction): Promise<void> {
  await queryRaw(
    'INSERT INTO click_uncounted (project_id, day) VALUES ($1, $2) ON CONFLICT (project_id, day) DO NOTHING',
    [projectId, day],
    transaction,
  );
}

/** Records that the day has its totals, or no clicks. */
export async function markCounted(projectId: string, day: number, transaction?: Transaction): Promise<void> {
  await queryRaw('DELETE FROM click_uncounted WHERE project_id = $1 AND day = $2', [projectId, day], transaction);
}

/** Days before `day` that have no totals. */
export async function uncountedDaysBefore(day: number): Promise<ProjectDay[]> {
  const rows = await queryRaw<{ project_id: string; day: number }>(
    'SELECT project_id, day FROM click_uncounted WHERE day < $1 ORDER BY day, project_id',
    [day],
  );
  return rows.map(({ project_id, day: uncounted }) => ({ projectId: project_id, day: uncounted }));
}
