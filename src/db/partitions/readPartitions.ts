import { clock } from '../../kernel/clock.ts';
import { dialect } from '../connection/database.ts';
import { openStoreIn } from '../query.ts';
import type { SomeStore } from '../tables.ts';
import { PARTITIONED, partitioned, timeOfBound } from './tables.ts';

export interface Partition {
  name: string;
  /** Milliseconds; null: no bound, as the first partition below and the default one on both sides. */
  from: number | null;
  to: number | null;
  /** Whether it takes rows that no other partition takes. */
  isDefault: boolean;
}

const SELECT = `SELECT parts.relname AS name, pg_get_expr(parts.relpartbound, parts.oid) AS bound
  FROM pg_class AS tables LEFT JOIN pg_inherits ON inhparent = tables.oid LEFT JOIN pg_class AS parts ON parts.oid = inhrelid
  WHERE tables.relkind = 'p' AND tables.relname = $1
    AND tables.relnamespace = CAST(CAST(current_schema() AS TEXT) AS regnamespace)`;

/** The partitions of a table in the order of time, the default one last; null: it has none, as on SQLite. */
export async function readPartitions(table: string, store: SomeStore = openStoreIn()): Promise<Partition[] | null> {
  if (dialect() === 'sqlite' || !PARTITIONED.some(({ name }) => name === table)) return null;
  const rows = await store.all<{ name: string | null; bound: string }>(SELECT, [table]);
  if (rows.length === 0) return null;
  const partitions = rows.flatMap(({ name, bound }) => (name === null ? [] : [partitionOf(table, name, bound)]));
  return partitions.sort((one, other) => (one.to ?? Infinity) - (other.to ?? Infinity));
}

function partitionOf(table: string, name: string, bound: string): Partition {
  const [, from, to] = /^FOR VALUES FROM \((.+)\) TO \((.+)\)$/.exec(bound) ?? [];
  if (from === undefined || to === undefined) return { name, from: null, to: null, isDefault: true };
  const key = partitioned(table);
  return { name, from: timeOfBound(key, from), to: timeOfBound(key, to), isDefault: false };
}

/**
 * Until when rows of a table are deleted one by one where those before `beforeMs` are to go: a partition with rows on both
 * sides is dropped as a whole when the last of them are old enough. Those of the first and the default one do not wait for that.
 */
export async function deletedOneByOneUntil(table: string, beforeMs: number): Promise<number> {
  const partitions = (await readPartitions(table)) ?? [];
  const cut = partitions.find(({ from, to }) => from !== null && to !== null && from < beforeMs && to > beforeMs);
  return cut?.from ?? beforeMs;
}

/** By how many milliseconds the clock of the store is ahead of that of this process. */
export async function storeAheadMs(): Promise<number> {
  const [store] = await openStoreIn().all<{ ahead: string }>(
    'SELECT CAST(EXTRACT(EPOCH FROM now()) * 1000 - CAST($1 AS BIGINT) AS BIGINT) AS ahead',
    [clock.now()],
  );
  return Number(store?.ahead);
}
