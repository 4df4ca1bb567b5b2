import { QUARTER_MS } from '../clicks/periods.ts';
import { type Dialect, dialect } from '../db/database.ts';
import { jsonList } from '../db/jsonList.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import { inSlices, MOST_ROWS } from '../rollups/inSlices.ts';
import { ALL, type ClickRow, TIME } from '../rollups/readClicks.ts';
import type { AppTable } from './appTables.ts';
import type { TimeSpan } from './planDays.ts';
import type { AnalyticsDimension, Question } from './Question.ts';

/** Events that the store is meant to count at once: it takes some milliseconds, and they have enough in common. */
const WANTED = 2000;
const MINUTE_MS = 60_000;

/** How many events a row stands for, the value of each, and its currency. */
type Figures = [count: number, value: number | string | null, currency: string | null];

/** All digits: a JSON list of SQLite would have 15 of them. */
const VALUE: Record<Dialect, string> = {
  sqlite: "CASE WHEN value IS NOT NULL THEN printf('%!.17g', value) END",
  postgres: 'value',
};

/**
 * Events of apps in a span as rows of clicks, in the order of time. The store counts them, slice by slice: what an install
 * did with the same keys and value is one row, but for moments that the question tells apart.
 */
export function readCounted(
  source: AppTable,
  { projectId, starts }: Question,
  { fromMs, toMs }: TimeSpan,
  dimensions: readonly AnalyticsDimension[],
): AsyncGenerator<ClickRow[]> {
  const stepMs = stepWithin(starts, fromMs, toMs);
  const sql = statementFor(source, dimensions, stepMs);
  const read = async (from: number, to: number): Promise<ClickRow[]> => {
    const limit = to - from > 1 ? MOST_ROWS + 1 : ALL;
    const [row] = await selectBound<{ listed: string }>(sql, [projectId, sqlTime(from), sqlTime(to), limit]);
    const rows = JSON.parse(row?.listed ?? '[]') as ClickRow[];
    // The step may have begun before the slice.
    for (const counted of rows) counted[1] = Math.max(from, counted[1] * stepMs);
    return rows;
  };
  const sizeOf = (rows: ClickRow[]) => rows.reduce((sum, row) => sum + figuresOf(row)[0], 0);
  return inSlices(fromMs, toMs, read, { wanted: WANTED, sizeOf });
}

/** What stands behind the keys of such a row. */
export function figuresOf(row: ClickRow): Figures {
  return row.slice(-3) as unknown as Figures;
}

/** Milliseconds within which no bucket begins, counted since the epoch; 0: none begins within the span at all. */
function stepWithin(starts: readonly number[], fromMs: number, toMs: number): number {
  const within = starts.filter((start) => start > fromMs && start < toMs);
  if (within.length === 0) return 0;
  return [QUARTER_MS, MINUTE_MS].find((step) => within.every((start) => start % step === 0)) ?? 1;
}

/** The innermost rows are limited and in the order of the index: no store then thinks of another way to find them. */
function statementFor(
  { table, only, dimensions, value, currency }: AppTable,
  names: readonly AnalyticsDimension[],
  stepMs: number,
): string {
  const keys = names.map((_, at) => `key_${at}`);
  const by = ['step', 'install_id', ...keys, 'value', 'currency'].join(', ');
  const read = [
    `${stepMs === 0 ? '0' : `(${TIME[dialect()]}) / ${stepMs}`} AS step`,
    'install_id',
    ...names.map((name, at) => `${dimensions[name]} AS key_${at}`),
    `${value} AS value`,
    `${currency} AS currency`,
  ].join(', ');
  const listed = ["''", 'step', 'install_id', "'human'", ...keys, 'count', VALUE[dialect()], 'currency'].join(', ');
  return `SELECT ${jsonList(listed)} AS listed FROM (
      SELECT ${by}, COUNT(*) AS count FROM (
        SELECT ${read} FROM ${table}
        WHERE project_id = $1 AND ${only} AND occurred_at >= $2 AND occurred_at < $3
        ORDER BY occurred_at, id LIMIT $4
      ) AS slice GROUP BY ${by} ORDER BY step
    ) AS counted`;
}
