import { DIMENSIONS, type Dimension } from '../clicks/dimensions.ts';
import { type Dialect, dialect } from '../db/database.ts';
import { jsonList } from '../db/jsonList.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import type { TrafficClass } from '../routing/trafficReason.ts';
import { inSlices, MOST_ROWS } from './inSlices.ts';

/** One click: its id, moment, visitor, class, and its keys in the order that was asked for (null: unknown). */
export type ClickRow = [
  id: string,
  atMs: number,
  visitor: string,
  trafficClass: TrafficClass,
  ...keys: (string | null)[],
];

/** Of one millisecond, which cannot be cut. */
export const ALL = 1_000_000_000;

/** SQL for `occurred_at` in milliseconds since the epoch. */
export const TIME: Record<Dialect, string> = {
  sqlite: `CAST(strftime('%s', substr(occurred_at, 1, 19)) AS INTEGER) * 1000 + CAST(substr(occurred_at, 21, 3) AS INTEGER)`,
  postgres: 'CAST(EXTRACT(EPOCH FROM occurred_at) * 1000 AS BIGINT)',
};

/** The clicks of a project from `fromMs` up to but without `toMs`, in the order of time, some hundred at a time. */
export function readClicks(
  projectId: string,
  fromMs: number,
  toMs: number,
  dimensions: readonly Dimension[],
): AsyncGenerator<ClickRow[]> {
  const values = [
    'id',
    TIME[dialect()],
    'visitor',
    'traffic_class',
    ...dimensions.map((name) => DIMENSIONS[name]),
  ].join(', ');
  const sql = `SELECT ${jsonList(values)} AS listed FROM (
      SELECT * FROM clicks WHERE project_id = $1 AND occurred_at >= $2 AND occurred_at < $3
      ORDER BY occurred_at, id LIMIT $4
    ) AS slice`;
  return inSlices(fromMs, toMs, async (from, to) => {
    const [row] = await selectBound<{ listed: string }>(sql, [
      projectId,
      sqlTime(from),
      sqlTime(to),
      to - from > 1 ? MOST_ROWS + 1 : ALL,
    ]);
    return JSON.parse(row?.listed ?? '[]') as ClickRow[];
  });
}
