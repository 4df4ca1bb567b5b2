import { DIMENSIONS, type Dimension } from '../../clicks/dimensions.ts';
import { epochMs, jsonList, limitInOrder } from '../../db/dialects.ts';
import { sqlTime } from '../../db/jsonRows.ts';
import { queryRaw } from '../../db/query.ts';
import type { TrafficClass } from '../../routing/trafficReason.ts';

/** The aim for the size of a slice: few enough rows to be processed without blocking other work. */
const WANTED = 500;
/** A slice with more rows is cut shorter and read again. */
export const MOST_ROWS = 5000;
const FIRST_MS = 300_000;
const LONGEST_MS = 86_400_000;

/** A click: id, time, visitor, class, and its keys in the order of the wanted dimensions (null: unknown). */
export type ClickRow = [
  id: string,
  atMs: number,
  visitor: string,
  trafficClass: TrafficClass,
  ...keys: (string | null)[],
];

/** The limit for a slice of one millisecond, which cannot be cut. */
export const ALL = 1_000_000_000;

/** The clicks of a project from `fromMs` up to but without `toMs`, in the order of time, some hundreds at a time. */
export function readClicks(
  projectId: string,
  fromMs: number,
  toMs: number,
  dimensions: readonly Dimension[],
): AsyncGenerator<ClickRow[]> {
  const values = [
    'id',
    epochMs('occurred_at'),
    'visitor',
    'traffic_class',
    ...dimensions.map((name) => DIMENSIONS[name]),
  ].join(', ');
  const sql = `SELECT ${jsonList(values)} AS listed FROM (
      SELECT * FROM clicks WHERE project_id = $1 AND occurred_at >= $2 AND occurred_at < $3
      ORDER BY occurred_at, id ${limitInOrder('$4')}
    ) AS slice`;
  return readInSlices(fromMs, toMs, async (from, to) => {
    const [row] = await queryRaw<{ listed: string }>(sql, [
      projectId,
      sqlTime(from),
      sqlTime(to),
      to - from > 1 ? MOST_ROWS + 1 : ALL,
    ]);
    return JSON.parse(row?.listed ?? '[]') as ClickRow[];
  });
}

interface SliceSize<Row> {
  wanted: number;
  sizeOf(rows: Row[]): number;
}

/**
 * Reads a span of time in slices, in the order of time, between which the caller can yield. `read` returns the rows of a slice in
 * order, at most MOST_ROWS + 1; where a row stands for several, `sizeOf` returns how many they are together. The length of slices
 * adapts to the density of rows. Pages by LIMIT would make a store without table statistics sort the whole span for each page.
 */
export async function* readInSlices<Row>(
  fromMs: number,
  toMs: number,
  read: (fromMs: number, toMs: number) => Promise<Row[]>,
  { wanted, sizeOf }: SliceSize<Row> = { wanted: WANTED, sizeOf: ({ length }) => length },
): AsyncGenerator<Row[]> {
  let lengthMs = FIRST_MS;
  for (let at = fromMs; at < toMs; ) {
    const end = Math.min(at + lengthMs, toMs);
    const rows = await read(at, end);
    const size = sizeOf(rows);
    if (size > MOST_ROWS && lengthMs > 1) {
      lengthMs = Math.max(1, Math.floor(lengthMs / 8));
      continue;
    }
    if (rows.length > 0) yield rows;
    at = end;
    const factor = Math.min(4, Math.max(1 / 4, wanted / Math.max(size, 1)));
    lengthMs = Math.min(LONGEST_MS, Math.max(1, Math.round(lengthMs * factor)));
  }
}
