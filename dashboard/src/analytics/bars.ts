import type { AnalyticsDimension } from '../kernel/addresses.ts';
import { formatExact } from '../kernel/numbers.ts';
import { t } from '../texts/index.ts';
import type { Bar } from '../ui/charts/BarList.tsx';
import { nameOf } from './names.ts';
import { writtenValue } from './values.ts';

/** The rows of a card, as both operations give them. */
export interface Rows {
  total: { count: number };
  others: { count: number } | null;
  data: readonly { key: string | null; label: string | null; count: number }[];
}

/** Unknown and others are rows as well: what is left out would make the rest look larger. */
export function barsOf(dimension: AnalyticsDimension, { data, others }: Rows): Bar[] {
  const rows = data.map(({ key, label, count }) => ({
    key: writtenValue(key),
    name: nameOf(dimension, key, label),
    count,
  }));
  return others && others.count > 0 ? [...rows, { key: null, name: t.analytics.others, count: others.count }] : rows;
}

/** The rows of a card for a file. */
export function tableOf(dimension: AnalyticsDimension, rows: Rows): (string | number)[][] {
  const share = (count: number) => Math.round((10_000 * count) / Math.max(rows.total.count, 1)) / 100;
  return [
    [dimension, t.analytics.name, t.analytics.count, t.analytics.share],
    ...rows.data.map(({ key, label, count }) => [key ?? '', nameOf(dimension, key, label), count, share(count)]),
    ...(rows.others ? [['', t.analytics.others, rows.others.count, share(rows.others.count)]] : []),
  ];
}

/** `40 of 1,000`, where a search hides the rest. */
export function foundText(found: number, all: number): string {
  return t.common.of(formatExact(found), formatExact(all));
}
