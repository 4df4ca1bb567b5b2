import { clock } from '../kernel/clock.ts';
import { castTo, inList, inListValue, rowLock } from './dialects.ts';
import { sqlTime } from './jsonRows.ts';
import { queryRaw } from './query.ts';
import type { Transaction } from './sequelize.ts';
import { inTransaction } from './transactions.ts';

/**
 * A table whose rows are work that one process at a time may hold. The end of the lease stands in the row, by the
 * product's clock, so the rows of a dead process become free by themselves. The end is also the proof of holding: when
 * the row has another one, the lease ran out and another process took the row.
 */
export interface LeasedTable {
  table: string;
  /** Primary key, a text. */
  key: string;
  /** Column with the end of the lease; null or past: free. */
  until: string;
  /** Column with the time a row is due. The same column as `until` where a claimed row is due again when its lease ends. */
  due: string;
  /** Length of a lease. */
  leaseMs(): number;
  /** The longest time for which a row is put off through `until`, where that is more than a lease. */
  longestMs?(): number;
}

/** Which rows are meant, beyond being free. */
export interface DueRows {
  /** SQL over the columns of the table, whose parameters are `values`, from $1 on. */
  where?: string;
  values?: readonly unknown[];
  /** Rows up to this time are due, in milliseconds; now unless said otherwise; null: all, whatever their time. */
  dueAtMs?: number | null;
}

interface Claim extends DueRows {
  limit: number;
  /** SQL assignments written together with the lease; the parameters `setValues` are numbered after those of `where`. */
  set?: string;
  setValues?: readonly unknown[];
  /** Columns to be returned beside the key. */
  returning?: readonly string[];
  /** The transaction to claim in; without one, the claim commits by itself. */
  transaction?: Transaction;
}

/** A row that this process holds until `untilMs`. */
export interface Leased {
  key: string;
  untilMs: number;
}

/** Whether a claim would find a row. Takes no transaction: sweeps ask this all the time. */
export async function hasDue(leased: LeasedTable, rows: DueRows = {}): Promise<boolean> {
  return (await queryRaw(`${dueQuery(leased, rows)} LIMIT 1`, rows.values ?? [])).length > 0;
}

/**
 * Claims up to `limit` rows that are due and free, longest due first. Two claims never get the same row; a row that
 * another transaction changes at that moment is left out.
 */
export async function claimDue<Row extends object>(leased: LeasedTable, claim: Claim): Promise<(Row & Leased)[]> {
  if (claim.limit < 1) return [];
  if (claim.transaction) return claimRows(leased, claim, claim.transaction);
  // Mostly nothing is due, and on SQLite transactions wait for each other.
  if (!(await hasDue(leased, claim))) return [];
  return inTransaction((transaction) => claimRows(leased, claim, transaction));
}

async function claimRows<Row extends object>(
  leased: LeasedTable,
  claim: Claim,
  transaction: Transaction,
): Promise<(Row & Leased)[]> {
  const { table, key, until, due } = leased;
  const untilMs = clock.now() + leased.leaseMs();
  const set = [`${until} = ${literal(untilMs)}`, ...(claim.set ? [claim.set] : [])].join(', ');
  const columns = [`${table}.${key} AS key`, ...(claim.returning ?? [])].join(', ');
  const rows = await queryRaw<Row & { key: string }>(
    `WITH due AS (${dueQuery(leased, claim)} ORDER BY ${due} LIMIT ${claim.limit} ${rowLock('FOR UPDATE SKIP LOCKED')})
     UPDATE ${table} SET ${set} FROM due WHERE ${table}.${key} = due.due_key RETURNING ${columns}`,
    [...(claim.values ?? []), ...(claim.setValues ?? [])],
    transaction,
  );
  return rows.map((row) => ({ ...row, untilMs }));
}

function dueQuery(leased: LeasedTable, { where, dueAtMs = clock.now() }: DueRows): string {
  const { table, key, until, due } = leased;
  const conditions = [
    ...(where ? [`(${where})`] : []),
    ...(dueAtMs === null ? [] : [`${due} <= ${literal(dueAtMs)}`]),
    ...(until === due ? [] : [isFree(leased)]),
  ];
  return `SELECT ${key} AS due_key FROM ${table} WHERE ${conditions.join(' AND ') || 'true'}`;
}

/** SQL: whether a row is free. */
export function isFree({ table, until, leaseMs, longestMs = leaseMs }: LeasedTable): string {
  const column = `${table}.${until}`;
  const [now, latest] = freeOutside(longestMs());
  return `(${column} IS NULL OR ${column} <= ${literal(now)} OR ${column} > ${literal(latest)})`;
}

/** The same of a row that was read. */
export function isLeaseOver({ leaseMs, longestMs = leaseMs }: LeasedTable, until: Date | null): boolean {
  const [now, latest] = freeOutside(longestMs());
  return until === null || until.getTime() <= now || until.getTime() > latest;
}

/** A lease that ends later than any could was written by a clock that was ahead; clocks of processes differ a little. */
function freeOutside(longestMs: number): [nowMs: number, latestMs: number] {
  return [clock.now(), clock.now() + 2 * longestMs];
}

/**
 * Claims the row of this key, which is made when there is none; or renews the lease that ends at `heldUntilMs`. Returns
 * the end of the lease in milliseconds; null: another process holds it.
 */
export async function holdLease(leased: LeasedTable, key: string, heldUntilMs: number | null): Promise<number | null> {
  const { table, until } = leased;
  const untilMs = clock.now() + leased.leaseMs();
  const isMine = heldUntilMs === null ? '' : ` OR ${table}.${until} = ${literal(heldUntilMs)}`;
  const rows = await inTransaction((transaction) =>
    queryRaw(
      `WITH wanted AS (SELECT CAST($1 AS TEXT) AS key)
       INSERT INTO ${table} (${leased.key}, ${until}) SELECT key, ${castTo('time', literal(untilMs))} FROM wanted
        WHERE true
       ON CONFLICT (${leased.key}) DO UPDATE SET ${until} = excluded.${until}
        WHERE ${isFree(leased)}${isMine} RETURNING ${leased.key}`,
      [key],
      transaction,
    ),
  );
  return rows.length > 0 ? untilMs : null;
}

/**
 * Gives rows back that are still held: they are free at once. `set`: SQL assignments written with that. Returns the keys
 * of those that were held.
 */
export async function releaseLeases(
  { table, key, until }: LeasedTable,
  held: readonly Leased[],
  { set, transaction }: { set?: string; transaction?: Transaction } = {},
): Promise<string[]> {
  const ends = [...new Set(held.map(({ untilMs }) => untilMs))];
  if (ends.length === 0) return [];
  const run = (inside: Transaction) =>
    queryRaw<{ key: string }>(
      `UPDATE ${table} SET ${until} = NULL${set ? `, ${set}` : ''}
        WHERE ${inList(key, '$1')} AND ${until} IN (${ends.map(literal).join(', ')}) RETURNING ${key} AS key`,
      [inListValue(held.map((row) => row.key))],
      inside,
    );
  const rows = await (transaction ? run(transaction) : inTransaction(run));
  return rows.map((row) => row.key);
}

/** SQL: a moment as text. No parameter: PostgreSQL would not know its type everywhere. */
function literal(epochMs: number): string {
  return `'${sqlTime(epochMs)}'`;
}
