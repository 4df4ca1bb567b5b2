import { type Dialect, dialect } from './database.ts';
import { inTransaction } from './inTransaction.ts';
import { selectBound } from './selectBound.ts';
import type { Transaction } from './sequelize.ts';

interface Doomed {
  table: string;
  /** With the parameters $1, $2, … */
  where: string;
  values: readonly unknown[];
  /** Columns in the order of the index that the oldest are found by. */
  oldestBy: string;
  batch: number;
}

/** Finds the rows again by their own addresses, whatever the key is. `most` is the last parameter. */
const SQL: Record<Dialect, (doomed: Doomed, most: string) => string> = {
  sqlite: ({ table, where, oldestBy }, most) =>
    `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${where} ORDER BY ${oldestBy} LIMIT ${most})
     RETURNING 1 AS deleted`,
  // Rows that somebody is writing are passed over, and what they have become is looked at the next time. As an array, or
  // PostgreSQL may read the whole table for a join.
  postgres: ({ table, where, oldestBy }, most) =>
    `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM ${table} WHERE ${where} ORDER BY ${oldestBy} LIMIT ${most} FOR UPDATE SKIP LOCKED))
     RETURNING 1 AS deleted`,
};

/**
 * Deletes the oldest rows for which `where` holds, `batch` at most and in one transaction; gives how many. Of several
 * processes that do this at once each deletes others.
 */
export async function deleteSome(doomed: Doomed): Promise<number> {
  const { values, batch } = doomed;
  const sql = SQL[dialect()](doomed, `$${values.length + 1}`);
  return inTransaction(async (transaction) => {
    await goByIndex(transaction);
    return (await selectBound(sql, [...values, batch], transaction)).length;
  });
}

/**
 * Knowing little of its tables, PostgreSQL takes few rows to be old, and would gather and sort all that are for each batch.
 * In the order of the index it stops after the first ones.
 */
async function goByIndex(transaction: Transaction): Promise<void> {
  if (dialect() === 'sqlite') return;
  const off = ['enable_seqscan', 'enable_bitmapscan', 'enable_sort'].map((way) => `set_config('${way}', 'off', true)`);
  await selectBound(`SELECT ${off.join(', ')}`, [], transaction);
}
