import type { Dimension } from '../clicks/dimensions.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import { inSlices } from '../rollups/inSlices.ts';
import type { ClickRow } from '../rollups/readClicks.ts';
import type { TrafficClass } from '../routing/trafficReason.ts';

/** What the requests for unknown slugs have of a click; the rest is unknown. */
const COLUMNS: ReadonlySet<Dimension> = new Set([
  'country',
  'region',
  'city',
  'platform',
  'device',
  'browser',
  'language',
  'referrer_host',
  'domain',
  'slug',
]);

interface OrphanRow extends Partial<Record<Dimension, string | null>> {
  id: string;
  occurred_at: string | Date;
  visitor: string;
  traffic_class: TrafficClass;
  count: number;
}

/** Rows as of clicks, each with the number of requests that it stands for, in the order of time. */
export async function* readOrphans(
  projectId: string,
  fromMs: number,
  toMs: number,
  dimensions: readonly Dimension[],
): AsyncGenerator<{ rows: ClickRow[]; counts: number[] }> {
  const slices = inSlices(fromMs, toMs, (from, to) =>
    selectBound<OrphanRow>(
      `SELECT * FROM orphans WHERE project_id = $1 AND occurred_at >= $2 AND occurred_at < $3 ORDER BY occurred_at, id`,
      [projectId, sqlTime(from), sqlTime(to)],
    ),
  );
  for await (const found of slices) {
    const rows = found.map((row): ClickRow => {
      const keys = dimensions.map((name) => (COLUMNS.has(name) ? (row[name] ?? null) : null));
      return [row.id, new Date(row.occurred_at).getTime(), row.visitor, row.traffic_class, ...keys];
    });
    yield { rows, counts: found.map(({ count }) => Number(count)) };
  }
}
