import { type Dialect, dialect } from './connection/database.ts';
import { queryRaw } from './query.ts';
import type { Transaction } from './sequelize.ts';
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

/** Deletes by physical row address, so that any primary key will do. `limit` is the placeholder of the last parameter. */
const SQL: Record<Dialect, (rows: OldRows, limit: string) => string> = {
  sqlite: ({ table, where, oldestBy }, limit) =>
    `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${where} ORDER BY ${oldestBy} LIMIT ${limit})
     RETURNING 1 AS deleted`,
  // Rows that another transaction is writing are skipped until the next time. An array, because for a join PostgreSQL may
  // read the whole table.
  postgres: ({ table, where, oldestBy }, limit) =>
    `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM ${table} WHERE ${where} ORDER BY ${oldestBy} LIMIT ${limit} FOR UPDATE SKIP LOCKED))
     RETURNING 1 AS deleted`,
};

/**
 * Deletes the oldest rows for which `where` holds, at most `batch`, in one transaction. Returns their number. Concurrent
 * processes delete different rows.
 */
export async function deleteOldest(rows: OldRows): Promise<number> {
  const { values, batch } = rows;
  const sql = SQL[dialect()](rows, `$${values.length + 1}`);
  return inTransaction(async (transaction) => {
    await goByIndex(transaction);
    return (await queryRaw(sql, [...values, batch], transaction)).length;
  });
}

/**
 * Makes PostgreSQL read rows in the order of the index and stop after the first ones. With poor statistics it expects few
 * old rows, and would collect and sort all of them for each batch.
 */
async function goByIndex(transaction: Transaction): Promise<void> {
  if (dialect() === 'sqlite') return;
  const off = ['enable_seqscan', 'enable_bitmapscan', 'enable_sort'].map((way) => `set_config('${way}', 'off', true)`);
  await queryRaw(`SELECT ${off.join(', ')}`, [], transaction);
}
