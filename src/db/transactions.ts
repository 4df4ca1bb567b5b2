import { Transaction } from 'sequelize';
import { endOfChecks } from '../kernel/dryRun.ts';
import { claimCommit, currentOutcome, type RequestOutcome, throwIfRefused } from '../kernel/requestOutcome.ts';
import { sendAnnouncements } from './announce.ts';
import { database, dialect } from './connection/database.ts';
import { withJsonRows } from './jsonRows.ts';
import { queryRaw } from './query.ts';
import { currentUnitOfWork, openUnitOfWork } from './unitOfWork.ts';

/** The last transaction on SQLite, which has one writer: the next one begins when it has ended. */
let lastWrite: Promise<unknown> = Promise.resolve();

/**
 * Runs `work` in one transaction and returns its result; any error rolls everything back. Keep hashing and network calls
 * outside: on SQLite transactions run one at a time, in the order of the calls. Within a unit of work the commit waits
 * until the unit ends, and later calls join the open transaction.
 */
export async function inTransaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  endOfChecks();
  const unit = currentUnitOfWork();
  if (!unit) return begin(work);
  await unit.opening?.catch(() => {});
  return unit.transaction ? work(unit.transaction) : openUnitOfWork(unit, begin, work);
}

/**
 * Runs `work` in a transaction of its own, whatever unit of work the caller is in. It commits only if none of the
 * `requests` that it serves has been refused meanwhile; otherwise it throws `unavailable` and rolls back.
 */
export async function begin<Result>(
  work: (transaction: Transaction) => Promise<Result>,
  requests: readonly (RequestOutcome | null)[] = [currentOutcome()],
): Promise<Result> {
  const guarded = async (transaction: Transaction) => {
    throwIfRefused(requests);
    const result = await work(transaction);
    await sendAnnouncements(transaction);
    claimCommit(requests);
    return result;
  };
  if (dialect() === 'postgres') return database().transaction(guarded);
  const run = () => database().transaction({ type: Transaction.TYPES.IMMEDIATE }, guarded);
  const mine = lastWrite.then(run, run);
  lastWrite = mine.catch(() => {});
  return mine;
}

/** Locks a row until the transaction ends, but lets others write rows that refer to it. SQLite has one writer. */
export async function lockRow(table: string, id: string, transaction: Transaction): Promise<void> {
  if (dialect() === 'sqlite') return;
  await queryRaw(`SELECT id FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [id], transaction);
}

/** Keeps other transactions from writing to a table until this one ends. SQLite has one writer. */
export async function lockTable(table: string, transaction: Transaction): Promise<void> {
  if (dialect() === 'sqlite') return;
  await queryRaw(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`, [], transaction);
}

/** Whether PostgreSQL rolled a transaction back because it and another one waited for each other: it may run again. */
export function isDeadlock(error: unknown): boolean {
  return (error as { original?: { code?: unknown } } | null)?.original?.code === '40P01';
}

/**
 * Waits until no other transaction holds a lock on any of these names, and locks them until this transaction ends. Names
 * are locked in sorted order, so that two transactions never deadlock. SQLite needs no locks: it has one writer.
 */
export async function lockNames(names: Iterable<string>, transaction: Transaction): Promise<void> {
  if (dialect() === 'sqlite') return;
  const inOrder = [...new Set(names)].sort();
  await withJsonRows(
    { name: 'text' },
    inOrder.map((name) => [name]),
    'SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM given',
    transaction,
  );
}
