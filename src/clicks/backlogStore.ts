import { dialect } from '../db/connection/database.ts';
import { insertInto } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction, lockNames } from '../db/transactions.ts';
import { clock, QUARTER_MS } from '../kernel/clock.ts';
import { firstIdAt, newId } from '../kernel/ids.ts';
import type { Click } from './click.ts';

/**
 * Clicks that are in no block yet, by quarters of an hour: see src/analytics/columns. Whoever stores clicks adds rows and
 * changes none, so that processes do not wait for each other; the rows of a quarter are summed when they are read, and folded
 * into one from time to time. Versions before 0026 kept one row a quarter in `click_backlog`.
 */
export const BACKLOG = `(SELECT id, project_id, quarter, clicks FROM click_arrivals
  UNION ALL SELECT 'before 0026 ' || clicks AS id, project_id, quarter, clicks FROM click_backlog)`;

/** SQL: the backlog by project and quarter. `last` and `rows` change with every change of a quarter. */
export function backlogBy(condition: string): string {
  return `SELECT project_id, quarter, CAST(SUM(clicks) AS BIGINT) AS clicks, CAST(COUNT(*) AS BIGINT) AS rows,
      MAX(id COLLATE ${dialect() === 'postgres' ? '"C"' : 'BINARY'}) AS last
    FROM ${BACKLOG} AS arrived WHERE ${condition} GROUP BY project_id, quarter`;
}

/** The clicks of a quarter of an hour that are in no block, and what tells whether they are the same as before. */
export interface BacklogRow {
  quarter: number;
  clicks: number;
  rows: number;
  /** The greatest id of its rows. No id comes again, and rows are deleted by whole quarters alone. */
  last: string;
}

const COLUMNS = { id: 'text', project_id: 'text', quarter: 'integer', clicks: 'integer' } as const;

/** Adds clicks to the backlog. */
export async function addToBacklog(
  clicks: readonly Pick<Click, 'projectId' | 'occurredAt'>[],
  transaction: Transaction,
): Promise<void> {
  const counts = new Map<string, [projectId: string, quarter: number, count: number]>();
  for (const { projectId, occurredAt } of clicks) {
    const quarter = Math.floor(occurredAt / QUARTER_MS);
    const id = `${projectId} ${quarter}`;
    const entry = counts.get(id);
    if (entry) entry[2] += 1;
    else counts.set(id, [projectId, quarter, 1]);
  }
  const rows = [...counts.values()].map((row) => [newId('arr'), ...row]);
  await insertInto('click_arrivals', COLUMNS, rows, { transaction });
}

/** Returns the quarters of a block to the backlog. How its clicks are spread over them is not known: evenly, it is said. */
export async function returnToBacklog(
  projectId: string,
  { from, to, clicks }: { from: number; to: number; clicks: number },
  transaction: Transaction,
): Promise<void> {
  const share = (at: number) => Math.floor((clicks * (at + 1)) / (to - from)) - Math.floor((clicks * at) / (to - from));
  const rows = Array.from({ length: to - from }, (_, at) => [newId('arr'), projectId, from + at, share(at)]);
  await insertInto('click_arrivals', COLUMNS, rows, { transaction });
}

/** The backlog of a project's quarters from `from` up to but without `to`, in order. */
export function readBacklog(
  projectId: string,
  from: number,
  to: number,
  transaction?: Transaction,
): Promise<BacklogRow[]> {
  return queryRaw<BacklogRow>(
    `SELECT quarter, clicks, rows, last FROM (${backlogBy('project_id = $1 AND quarter >= $2 AND quarter < $3')}) AS stock
     ORDER BY quarter`,
    [projectId, from, to],
    transaction,
  );
}

const TABLES = ['click_arrivals', 'click_backlog'];
const OF_QUARTERS = 'project_id = $1 AND quarter >= $2 AND quarter < $3';

/**
 * Deletes the backlog of these quarters and returns what was deleted. A click that was stored after the caller read the
 * backlog is in the result, and a caller who did not count it rolls back.
 */
export async function takeBacklog(
  projectId: string,
  from: number,
  to: number,
  transaction: Transaction,
): Promise<BacklogRow[]> {
  const quarters = new Map<number, BacklogRow>();
  for (const table of TABLES) {
    const id = table === 'click_arrivals' ? 'id' : "'before 0026 ' || clicks AS id";
    const taken = await queryRaw<{ id: string; quarter: number; clicks: number }>(
      `DELETE FROM ${table} WHERE ${OF_QUARTERS} RETURNING ${id}, quarter, clicks`,
      [projectId, from, to],
      transaction,
    );
    for (const { id: rowId, quarter, clicks } of taken) {
      const sum = quarters.get(quarter) ?? { quarter, clicks: 0, rows: 0, last: '' };
      quarters.set(quarter, sum);
      sum.clicks += Number(clicks);
      sum.rows += 1;
      if (rowId > sum.last) sum.last = rowId;
    }
  }
  return [...quarters.values()].sort((one, other) => one.quarter - other.quarter);
}

/** Rows of a quarter in RECENT_MS that are worth folding. So a quarter keeps three times as many at most. */
const MANY_ROWS = 50;
/** The backlog of a day may have a million rows, of many quiet projects: only what was added lately is looked at. */
const RECENT_MS = 300_000;

/** Ids begin with the time, so that the primary key finds the rows that were added lately. */
function quartersToFold(limit = ''): Promise<{ project_id: string; quarter: number }[]> {
  return queryRaw(
    `SELECT project_id, quarter FROM click_arrivals WHERE id > $1 GROUP BY project_id, quarter
     HAVING COUNT(*) > ${MANY_ROWS} ${limit}`,
    [firstIdAt('arr', clock.now() - RECENT_MS)],
  );
}

/** Whether `foldBacklog` would find something. */
export async function hasManyArrivals(): Promise<boolean> {
  return (await quartersToFold('LIMIT 1')).length > 0;
}

/** Makes one row of the many of a quarter. A project that stores clicks all the time adds some twenty rows a second. */
export async function foldBacklog(): Promise<void> {
  for (const { project_id, quarter } of await quartersToFold()) {
    await inTransaction(async (transaction) => {
      await lockRollups([project_id], transaction);
      await foldQuarters(project_id, quarter, quarter + 1, transaction);
    });
  }
}

/** Makes one row of those of each quarter. The caller holds the lock of the project's rollups. */
export async function foldQuarters(
  projectId: string,
  from: number,
  to: number,
  transaction: Transaction,
): Promise<void> {
  const values = [projectId, from, to, newId('arr')];
  const folded = "CAST($4 AS TEXT) || '.' || quarter, $1, quarter, SUM(clicks)";
  const insert = 'INSERT INTO click_arrivals (id, project_id, quarter, clicks)';
  if (dialect() === 'postgres') {
    await queryRaw(
      `WITH taken AS (DELETE FROM click_arrivals WHERE ${OF_QUARTERS} RETURNING quarter, clicks)
       ${insert} SELECT ${folded} FROM taken GROUP BY quarter`,
      values,
      transaction,
    );
    return;
  }
  await queryRaw(
    `${insert} SELECT ${folded} FROM click_arrivals WHERE ${OF_QUARTERS} GROUP BY quarter`,
    values,
    transaction,
  );
  await queryRaw(`DELETE FROM click_arrivals WHERE ${OF_QUARTERS} AND id <> $4 || '.' || quarter`, values, transaction);
}

/**
 * Locks the blocks, totals and keys of these projects against other builders until the transaction ends. Storing clicks takes
 * no such lock. SQLite has a single writer and needs none.
 */
export function lockRollups(projectIds: Iterable<string>, transaction: Transaction): Promise<void> {
  return lockNames(
    [...projectIds].map((projectId) => `clicks of ${projectId}`),
    transaction,
  );
}
