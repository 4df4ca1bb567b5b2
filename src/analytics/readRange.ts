import { BACKLOG } from '../clicks/backlogStore.ts';
import { hasClickHouse } from '../clicks/clickhouse/connection.ts';
import { firstClickAt } from '../clicks/clickhouse/readClicks.ts';
import { queryRaw } from '../db/query.ts';
import { clock, DAY_MS, QUARTER_MS } from '../kernel/clock.ts';
import type { FieldProblem } from '../kernel/errors.ts';

/** From `start` up to but without `end`, in milliseconds since the epoch. */
export interface Range {
  start: number;
  end: number;
}

export interface RangeInput {
  interval?: string | null;
  start?: Date | null;
  end?: Date | null;
}

/** Without `all`, which begins with the project. */
const INTERVAL_MS: Record<string, number> = {
  '1h': DAY_MS / 24,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '90d': 90 * DAY_MS,
  '1y': 365 * DAY_MS,
};

export const INTERVALS = [...Object.keys(INTERVAL_MS), 'all'];

/** The range of an input; `all` begins at `since`. Adds to `problems` what is wrong, and the range is then meaningless. */
export function readRange(input: RangeInput, since: number, problems: FieldProblem[]): Range {
  const now = clock.now();
  if (!input.start && !input.end) {
    const lengthMs = INTERVAL_MS[input.interval ?? '24h'];
    return { start: lengthMs === undefined ? Math.min(since, now - 1) : now - lengthMs, end: now };
  }
  if (input.interval) problems.push({ path: 'interval', message: 'Give either interval or start and end.' });
  const [start, end] = [input.start?.getTime(), input.end?.getTime() ?? now];
  if (start === undefined) problems.push({ path: 'start', message: 'Is needed where end is given.' });
  else if (start >= end) problems.push(notBefore(input.end));
  return { start: start ?? end, end };
}

function notBefore(end: Date | null | undefined): FieldProblem {
  return end
    ? { path: 'end', message: 'Must be later than start.' }
    : { path: 'end', message: 'Is needed where start is not in the past: without it the range ends now.' };
}

interface FirstRow {
  block: number | null;
  waiting: number | null;
  orphan: string | Date | null;
  open: string | Date | null;
  app_event: string | Date | null;
}

/** The time of a project's first event, of clicks to the quarter of an hour; infinity without any. */
export async function firstEventAt(projectId: string): Promise<number> {
  const [row] = await queryRaw<FirstRow>(
    `SELECT (SELECT MIN(from_quarter) FROM click_blocks WHERE project_id = $1) AS block,
       (SELECT MIN(quarter) FROM ${BACKLOG} AS arrived WHERE project_id = $1) AS waiting,
       (SELECT MIN(occurred_at) FROM orphans WHERE project_id = $1) AS orphan,
       (SELECT MIN(occurred_at) FROM opens WHERE project_id = $1) AS open,
       (SELECT MIN(occurred_at) FROM app_events WHERE project_id = $1) AS app_event`,
    [projectId],
  );
  const quarters = [row?.block, row?.waiting].filter((quarter) => quarter !== null && quarter !== undefined);
  const moments = quarters.map((quarter) => quarter * QUARTER_MS);
  for (const moment of [row?.orphan, row?.open, row?.app_event]) if (moment) moments.push(new Date(moment).getTime());
  const click = hasClickHouse() ? await firstClickAt(projectId) : null;
  if (click !== null) moments.push(click);
  return Math.min(Number.POSITIVE_INFINITY, ...moments);
}
