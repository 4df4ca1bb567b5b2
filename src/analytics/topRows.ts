import { Tag } from '../models/Tag.ts';
import type { AnalyticsQuery } from './AnalyticsQuery.ts';
import { TRAFFIC_CLASSES } from './columns/EventColumns.ts';
import { cellDimension } from './columns/keyStore.ts';
import type { Figures } from './readFigures.ts';
import { Sums } from './Sums.ts';
import type { Count } from './Tally.ts';

interface KeyCount extends Count {
  /** The number of the key. */
  cell: number;
  /** Null: unknown. */
  key: string | null;
}

/** Most rows tied for the last place that are sorted by key. */
const MOST_TIED = 5000;

/** The `limit` rows with the most events, sorted, and the sum of all others; null without any. */
export async function topRows(
  { groupBy }: AnalyticsQuery,
  { total, cells, dictionary }: Figures,
  limit: number,
): Promise<{ rows: KeyCount[]; others: Count | null }> {
  const sorted = [...cells].sort(([, a], [, b]) => b.count - a.count);
  const least = sorted[limit - 1]?.[1].count ?? 0;
  const end = sorted.findIndex(([, { count }]) => count < least);
  const candidates = sorted.slice(0, Math.min(end < 0 ? sorted.length : end, limit + MOST_TIED));
  const keys =
    groupBy === 'traffic_class'
      ? new Map(TRAFFIC_CLASSES.map((name, code) => [code, name as string]))
      : await dictionary.keysOf(
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
  if (total.values) others.values = valuesNotShown(cells, shown);
  return { rows: shown, others };
}

/** The sums of values of the cells that are not shown. */
function valuesNotShown(cells: Figures['cells'], shown: KeyCount[]): Sums {
  const isShown = new Set(shown.map(({ cell }) => cell));
  const sums = new Sums();
  for (const [cell, { values }] of cells) if (values && !isShown.has(cell)) sums.addAll(values);
  return sums;
}

/** Rows by tag with names instead of ids; a deleted tag keeps its id, because its name is no longer known. */
export async function tagNamesFor(projectId: string, rows: KeyCount[]): Promise<KeyCount[]> {
  const ids = rows.flatMap(({ key }) => key ?? []);
  const tags = await Tag.findAll({ attributes: ['id', 'name'], where: { projectId, id: ids } });
  const names = new Map(tags.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({ ...row, key: row.key && (names.get(row.key) ?? row.key) }));
}
