import { cellDimension } from '../rollups/cellDimension.ts';
import { TRAFFIC_CLASSES } from '../rollups/Part.ts';
import type { Question } from './Question.ts';
import type { Figures } from './readFigures.ts';
import { Sums } from './Sums.ts';
import type { Count } from './Tally.ts';

export interface KeyCount extends Count {
  /** The number of the key. */
  cell: number;
  /** Null: unknown. */
  key: string | null;
}

/** Rows that share the last place are put into the order of their keys, unless there are more of them than this. */
const MOST_TIED = 5000;

/** The rows with the most events, in their order, and the sum of those that `limit` cut off; null without any. */
export async function topRows(
  { groupBy }: Question,
  { total, cells, numbering }: Figures,
  limit: number,
): Promise<{ rows: KeyCount[]; others: Count | null }> {
  const sorted = [...cells].sort(([, a], [, b]) => b.count - a.count);
  const least = sorted[limit - 1]?.[1].count ?? 0;
  const end = sorted.findIndex(([, { count }]) => count < least);
  const candidates = sorted.slice(0, Math.min(end < 0 ? sorted.length : end, limit + MOST_TIED));
  const keys =
    groupBy === 'traffic_class'
      ? new Map(TRAFFIC_CLASSES.map((name, code) => [code, name as string]))
      : await numbering.keysOf(
          cellDimension(groupBy),
          candidates.map(([number]) => number),
        );
  const rows = candidates.map(([cell, count]): KeyCount => ({ cell, key: keys.get(cell) ?? null, ...count }));
  rows.sort((a, b) => b.count - a.count || ((a.key ?? '') < (b.key ?? '') ? -1 : 1));
  const shown = rows.slice(0, limit);
  if (cells.length <= limit) return { rows: shown, others: null };
  const others: Count = { count: 0, unique: 0 };
  for (const { count, unique } of cells.map(([, count]) => count)) {
    others.count += count;
    others.unique += unique;
  }
  for (const { count, unique } of shown) {
    others.count -= count;
    others.unique -= unique;
  }
  if (total.values) others.values = valuesBeside(cells, shown);
  return { rows: shown, others };
}

/** What the cells that are not shown are worth. */
function valuesBeside(cells: Figures['cells'], shown: KeyCount[]): Sums {
  const isShown = new Set(shown.map(({ cell }) => cell));
  const sums = new Sums();
  for (const [cell, { values }] of cells) if (values && !isShown.has(cell)) sums.addAll(values);
  return sums;
}
