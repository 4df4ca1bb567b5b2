import type { FiguresRead, KeyFigures } from './readFigures.ts';

/** `unique`: the sum of each UTC day's distinct visitors. `values`: sums of money, which clicks have not. */
export interface Figures {
  count: number;
  unique: number;
  values: null;
}

/** `key`: null for unknown; by time the start of the bucket, in ISO 8601. */
export interface FiguresOfKey extends Figures {
  key: string | null;
}

export function presentFigures({ count, unique }: { count: number; unique: number }): Figures {
  return { count, unique, values: null };
}

/** A row for each bucket, also for those without clicks. `starts`: of the buckets, in milliseconds. */
export function presentSeries(starts: number[], rows: KeyFigures[]): FiguresOfKey[] {
  const byBucket = new Map(rows.map((row) => [row.key, row]));
  return starts.map((start, bucket) => ({
    key: new Date(start).toISOString(),
    ...presentFigures(byBucket.get(bucket) ?? { count: 0, unique: 0 }),
  }));
}

export function presentKeys(rows: KeyFigures[]): FiguresOfKey[] {
  return rows.map((row) => ({ key: row.key === '' ? null : String(row.key), ...presentFigures(row) }));
}

/** The sum of the rows that the limit cut off; null without any. */
export function presentOthers({ rows, count, unique, keys }: FiguresRead): Figures | null {
  if (rows.length === keys) return null;
  const others = { count, unique };
  for (const row of rows) {
    others.count -= row.count;
    others.unique -= row.unique;
  }
  return presentFigures(others);
}
