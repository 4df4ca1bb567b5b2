import { database, dialect } from './connection/database.ts';
import { rowLock } from './dialects.ts';
import { partsOf } from './partitions/tables.ts';
import { openStoreIn, queryRaw } from './query.ts';
import type { Transaction } from './sequelize.ts';
import { primaryKeyOf } from './tables.ts';
import { inTransaction } from './transactions.ts';

interface OldRows {
  table: string;
  /** A condition with the parameters $1, $2, … */
  where: string;
  values: readonly unknown[];
  /** The columns of the index that finds the oldest rows, in its order. */
  oldestBy: string;
  batch: number;
}

/**
 * Deletes the oldest rows for which `where` holds, at most `batch`, in one transaction. Returns their number. Concurrent
 * processes delete different rows: those that another transaction is writing are skipped until the next time.
 */
export async function deleteOldest(rows: OldRows): Promise<number> {
  const { values, batch } = rows;
  return inTransaction(async (transaction) => {
    await goByIndex(transaction);
    const sql = statement(rows, await keyOf(rows.table, transaction), `$${values.length + 1}`);
    return (await queryRaw(sql, [...values, batch], transaction)).length;
  });
}

/**
 * `limit` is the placeholder of the last parameter. What belongs to the rows goes with them: on SQLite by a reference, which
 * tables with partitions lack.
 */
function statement({ table, where, oldestBy }: OldRows, key: string[], limit: string): string {
  const columns = key.join(', ');
  const oldest = `SELECT ${columns} FROM ${table} WHERE ${where} ORDER BY ${oldestBy} LIMIT ${limit}`;
  if (dialect() === 'sqlite') return `DELETE FROM ${table} WHERE (${columns}) IN (${oldest}) RETURNING 1 AS deleted`;
  // Materialized, so that it runs once: as part of a join it might run, and lock other rows, several times.
  const parts = partsOf(table).map(
    (part, at) => `, parts_${at} AS (DELETE FROM ${part.table} USING oldest WHERE ${part.column} = oldest.id)`,
  );
  return `WITH oldest AS MATERIALIZED (${oldest} ${rowLock('FOR UPDATE SKIP LOCKED')}) ${parts.join('')}
    DELETE FROM ${table} USING oldest WHERE ${key.map((column) => `${table}.${column} = oldest.${column}`).join(' AND ')}
    RETURNING 1 AS deleted`;
}

/** Primary keys by table, of each store that was open in this process. */
const keys = new WeakMap<object, Map<string, string[]>>();

async function keyOf(table: string, transaction: Transaction): Promise<string[]> {
  const known = keys.get(database()) ?? new Map<string, string[]>();
  keys.set(database(), known);
  const key = known.get(table) ?? (await primaryKeyOf(table, openStoreIn(transaction)));
  known.set(table, key);
  return key;
}

/**
 * Makes PostgreSQL read rows in the order of the index and stop after the first ones. With poor statistics it expects few
 * old rows, and would collect and sort all of them for each batch. A store that lacks these settings ignores them.
 */
async function goByIndex(transaction: Transaction): Promise<void> {
  if (dialect() === 'sqlite') return;
  await queryRaw(
    `SELECT set_config(name, 'off', true) FROM pg_settings
      WHERE name IN ('enable_seqscan', 'enable_bitmapscan', 'enable_sort')`,
    [],
    transaction,
  );
}
