import { LRUCache } from 'lru-cache';
import type { Dimension } from '../../clicks/dimensions.ts';
import { ofStore } from '../../db/ofStore.ts';
import { queryRaw } from '../../db/query.ts';
import { QUARTER_MS } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { whileSame } from '../../kernel/memoize.ts';
import type { BlockRow } from './blockStore.ts';
import { type Column, decodeColumn } from './Column.ts';
import type { EventColumns } from './EventColumns.ts';

const ALWAYS = ['at', 'visitor_high', 'visitor_low', 'traffic_class'];

/**
 * Reads blocks with the columns of these dimensions. A block that was dissolved meanwhile has only zeros, which the version
 * reveals. `isCached`: columns that are read from the store are cached.
 */
export async function readBlocks(
  projectId: string,
  blocks: readonly BlockRow[],
  dimensions: readonly Dimension[],
  isCached = false,
): Promise<EventColumns[]> {
  const read = await readColumns(projectId, blocks, [...ALWAYS, ...dimensions], isCached);
  return blocks.map(({ from, clicks }, index) => {
    const column = (name: string) => read[index]?.get(name) as Column;
    return {
      length: clicks,
      baseMs: from * QUARTER_MS,
      at: column('at'),
      high: column('visitor_high'),
      low: column('visitor_low'),
      classes: column('traffic_class'),
      keys: Object.fromEntries(dimensions.map((name) => [name, column(name)])),
    };
  });
}

/** Columns of a block by their names. */
type Columns = Map<string, Column>;

/**
 * The named columns of each block, in the order of the blocks: from the cache, and what that lacks from the store.
 */
async function readColumns(
  projectId: string,
  blocks: readonly BlockRow[],
  names: readonly string[],
  isCached: boolean,
): Promise<Columns[]> {
  const found = blocks.map((block) => cachedColumns(projectId, block, names));
  const missingOf = (index: number) => names.filter((name) => !found[index]?.has(name));
  // One statement for all blocks that lack the same columns, which mostly are all blocks.
  for (const indexes of Map.groupBy(blocks.keys(), (index) => missingOf(index).join(' ')).values()) {
    const missing = missingOf(indexes[0] as number);
    if (missing.length === 0) continue;
    const lacking = indexes.map((index) => blocks[index] as BlockRow);
    const stored = await readStored(projectId, lacking, missing);
    for (const index of indexes) {
      const block = blocks[index] as BlockRow;
      for (const name of missing) {
        const column = decodeColumn(stored.get(`${name} ${block.from}`), block.clicks);
        found[index]?.set(name, column);
        if (isCached) columnCache()?.set(cacheKey(projectId, block, name), column);
      }
    }
  }
  return found;
}

function cachedColumns(projectId: string, block: BlockRow, names: readonly string[]): Columns {
  const cached = columnCache();
  const columns: Columns = new Map();
  for (const name of names) {
    const column = cached?.get(cacheKey(projectId, block, name));
    if (column) columns.set(name, column);
  }
  return columns;
}

async function readStored(projectId: string, blocks: readonly BlockRow[], names: readonly string[]) {
  const rows = await queryRaw<{ name: string; from_quarter: number; content: Buffer }>(
    `SELECT name, from_quarter, content FROM click_columns
     WHERE project_id = $1 AND name IN (${names.map((_, at) => `$${at + 4}`)}) AND from_quarter >= $2 AND from_quarter <= $3`,
    [projectId, blocks[0]?.from, blocks.at(-1)?.from, ...names],
  );
  return new Map(rows.map(({ name, from_quarter, content }) => [`${name} ${from_quarter}`, content]));
}

type ColumnCache = LRUCache<string, Column>;

/** Memory of a cached column in addition to its values: its key and its entries in the cache's lists. */
const ENTRY_BYTES = 300;

/**
 * The most recently used columns of blocks, at most ANALYTICS_MEMORY_BYTES; null where that is 0. Entries never change: columns are
 * read-only, and a rebuilt block has another key.
 */
export function columnCache(): ColumnCache | null {
  return cache()();
}

const cache = ofStore(() =>
  whileSame(
    () => config.analyticsMemoryBytes,
    (maxSize): ColumnCache | null =>
      maxSize === 0 ? null : new LRUCache({ maxSize, sizeCalculation: ({ byteLength }) => byteLength + ENTRY_BYTES }),
  ),
);

function cacheKey(projectId: string, { from, version }: BlockRow, name: string): string {
  return `${projectId} ${from} ${version} ${name}`;
}
