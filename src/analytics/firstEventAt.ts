import { QUARTER_MS } from '../clicks/periods.ts';
import { selectBound } from '../db/selectBound.ts';

/** When the project's first click or request for an unknown slug was, to the quarter of an hour; infinity without any. */
export async function firstEventAt(projectId: string): Promise<number> {
  const [row] = await selectBound<{ block: number | null; waiting: number | null; orphan: string | Date | null }>(
    `SELECT (SELECT MIN(from_quarter) FROM click_blocks WHERE project_id = $1) AS block,
       (SELECT MIN(quarter) FROM click_backlog WHERE project_id = $1) AS waiting,
       (SELECT MIN(occurred_at) FROM orphans WHERE project_id = $1) AS orphan`,
    [projectId],
  );
  const quarters = [row?.block, row?.waiting].filter((quarter) => quarter !== null && quarter !== undefined);
  const moments = quarters.map((quarter) => quarter * QUARTER_MS);
  if (row?.orphan) moments.push(new Date(row.orphan).getTime());
  return Math.min(Number.POSITIVE_INFINITY, ...moments);
}
