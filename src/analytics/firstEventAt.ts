import { QUARTER_MS } from '../clicks/periods.ts';
import { selectBound } from '../db/selectBound.ts';

interface FirstRow {
  block: number | null;
  waiting: number | null;
  orphan: string | Date | null;
  open: string | Date | null;
  app_event: string | Date | null;
}

/** When the first of a project's events was that analytics knows, a click to the quarter of an hour; infinity without any. */
export async function firstEventAt(projectId: string): Promise<number> {
  const [row] = await selectBound<FirstRow>(
    `SELECT (SELECT MIN(from_quarter) FROM click_blocks WHERE project_id = $1) AS block,
       (SELECT MIN(quarter) FROM click_backlog WHERE project_id = $1) AS waiting,
       (SELECT MIN(occurred_at) FROM orphans WHERE project_id = $1) AS orphan,
       (SELECT MIN(occurred_at) FROM opens WHERE project_id = $1) AS open,
       (SELECT MIN(occurred_at) FROM app_events WHERE project_id = $1) AS app_event`,
    [projectId],
  );
  const quarters = [row?.block, row?.waiting].filter((quarter) => quarter !== null && quarter !== undefined);
  const moments = quarters.map((quarter) => quarter * QUARTER_MS);
  for (const moment of [row?.orphan, row?.open, row?.app_event]) if (moment) moments.push(new Date(moment).getTime());
  return Math.min(Number.POSITIVE_INFINITY, ...moments);
}
