import type { Dimension } from '../clicks/dimensions.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import type { TrafficClass } from '../routing/trafficReason.ts';
import type { EventScope } from './AnalyticsQuery.ts';
import { BlockDraft } from './columns/BlockDraft.ts';
import type { EventColumns } from './columns/EventColumns.ts';
import type { Key } from './columns/keyStore.ts';
import { type ClickRow, readClicks, readInSlices } from './columns/readClicks.ts';
import type { KeyDictionary } from './KeyDictionary.ts';
import type { TimeSpan } from './plan.ts';

/** Clicks or orphans of a span that are read row by row, in columns like those of blocks; empty without any. */
export async function readRawEvents(
  { projectId, event }: Pick<EventScope, 'projectId' | 'event'>,
  { fromMs, toMs }: TimeSpan,
  dimensions: readonly Dimension[],
  dictionary: KeyDictionary,
): Promise<EventColumns[]> {
  const draft = new BlockDraft(fromMs, dimensions);
  const weights: number[] = [];
  if (event === 'click') {
    for await (const rows of readClicks(projectId, fromMs, toMs, dimensions)) draft.add(rows);
  } else {
    for await (const { rows, counts } of readOrphans(projectId, fromMs, toMs, dimensions)) {
      draft.add(rows);
      weights.push(...counts);
    }
  }
  if (draft.length === 0) return [];
  return [{ ...(await eventsFrom(draft, dictionary)), ...(event === 'orphan' ? { weights } : {}) }];
}

/** The dimensions of requests for unknown slugs; all others are unknown. */
const ORPHAN_DIMENSIONS: ReadonlySet<Dimension> = new Set([
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

/** Orphans in the shape of click rows, each with the number of requests that it stands for, in the order of time. */
async function* readOrphans(
  projectId: string,
  fromMs: number,
  toMs: number,
  dimensions: readonly Dimension[],
): AsyncGenerator<{ rows: ClickRow[]; counts: number[] }> {
  const slices = readInSlices(fromMs, toMs, (from, to) =>
    queryRaw<OrphanRow>(
      `SELECT * FROM orphans WHERE project_id = $1 AND occurred_at >= $2 AND occurred_at < $3 ORDER BY occurred_at, id`,
      [projectId, sqlTime(from), sqlTime(to)],
    ),
  );
  for await (const found of slices) {
    const rows = found.map((row): ClickRow => {
      const keys = dimensions.map((name) => (ORPHAN_DIMENSIONS.has(name) ? (row[name] ?? null) : null));
      return [row.id, new Date(row.occurred_at).getTime(), row.visitor, row.traffic_class, ...keys];
    });
    yield { rows, counts: found.map(({ count }) => Number(count)) };
  }
}

/**
 * A draft in columns like those of blocks. The arrays have the same types, because loops that meet both kinds of arrays are
 * slower.
 */
export async function eventsFrom(draft: BlockDraft, dictionary: KeyDictionary): Promise<EventColumns> {
  const { length, baseMs } = draft;
  await dictionary.learn(
    draft.columns.flatMap(({ dimension, keys }) => [...keys.keys()].map((key): Key => [dimension, key])),
  );
  const columns = draft.columns.map(({ dimension, numbers, keys }) => {
    const translated = [0, ...[...keys.keys()].map((key) => dictionary.numberOf(dimension, key))];
    return [dimension, Uint32Array.from(numbers, (number) => translated[number] as number)] as const;
  });
  return {
    length,
    baseMs,
    at: Uint32Array.from(draft.at),
    high: Uint32Array.from(draft.high),
    low: Uint32Array.from(draft.low),
    classes: Uint8Array.from(draft.classes),
    keys: Object.fromEntries(columns),
  };
}
