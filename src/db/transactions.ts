import { Transaction } from 'sequelize';
import { endOfChecks } from '../kernel/dryRun.ts';
import { claimCommit, currentOutcome, type RequestOutcome, throwIfRefused } from '../kernel/requestOutcome.ts';
import { sendAnnouncements } from './announce.ts';
import { repeatOnConflict } from './conflicts.ts';
import { database, dialect, watchFailures } from './connection/database.ts';
import { commit, SORTS_LAST } from './connection/internals.ts';
import { withJsonRows } from './jsonRows.ts';
import { ofStore } from './ofStore.ts';
import { queryRaw } from './query.ts';
import { markFailure } from './storeFailures.ts';
import { currentUnitOfWork, openUnitOfWork } from './unitOfWork.ts';

/** SQLite has one writer: each transaction begins when the one before it has ended. */
class WriteQueue {
  #last: Promise<unknown> = Promise.resolve();

  add<Result>(run: () => Promise<Result>): Promise<Result> {
    const mine = this.#last.then(run, run);
    this.#last = mine.catch(() => {});
    return mine;
  }
}

const writes = ofStore(() => new WriteQueue());

/**
 * Runs `work` in one transaction and returns its result; any error rolls everything back. Keep hashing and network calls
 * outside: on SQLite transactions run one at a time, in the order of the calls. Within a unit of work the commit waits
 * until the unit ends, and later calls join the open transaction.
 *
 * `work` runs again, up to `MAX_TRIES` times, when the store rolled it back because of another transaction. So what it does
 * besides its queries must be harmless when it is done twice: it reads the rows that it changes itself, because a model
 * that was read outside keeps the values that were rolled back and would not write them again; it keeps what it collects in
 * variables of its own; and it leaves the rest to `transaction.afterCommit`, which runs once, after the commit.
 */
export async function inTransaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  endOfChecks();
  const unit = currentUnitOfWork();
  if (!unit) return begin(work);
  await unit.opening?.catch(() => {});
  return unit.transaction ? work(unit.transaction) : openUnitOfWork(unit, begin, work);
}

/**
 * Runs `work` in a transaction of its own in which PostgreSQL sorts rows only where no index has their order. For first rows of a table
 * that has partitions: with statistics from before the rows were there, it would collect all of them and sort.
 */
export function inIndexOrder<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  return begin(work, { requests: [], inIndexOrder: true });
}

interface BeginOptions {
  /** The requests that the transaction serves. */
  requests?: readonly (RequestOutcome | null)[];
  /** Whether `work` may still run again after a conflict: nobody has used its results yet. */
  mayRepeat?: () => boolean;
  /** See `inIndexOrder`. */
  inIndexOrder?: boolean;
}

/**
 * Runs `work` in a transaction of its own, whatever unit of work the caller is in, and again after a conflict. It commits
 * only if none of the `requests` that it serves has been refused meanwhile; otherwise it throws `unavailable` and rolls back.
 */
export async function begin<Result>(
  work: (transaction: Transaction) => Promise<Result>,
  { requests = [currentOutcome()], mayRepeat, inIndexOrder = false }: BeginOptions = {},
): Promise<Result> {
  const guarded = async (transaction: Transaction) => {
    throwIfRefused(requests);
    const result = await work(transaction);
    await sendAnnouncements(transaction);
    claimCommit(requests);
    return result;
  };
  if (dialect() === 'postgres') return repeatOnConflict(() => tryOnPostgres(guarded, inIndexOrder), mayRepeat);
  const run = async () =>
    commitOrRollBack(await database().transaction({ type: Transaction.TYPES.IMMEDIATE }), guarded);
  return writes().add(run);
}

async function tryOnPostgres<Result>(
  work: (transaction: Transaction) => Promise<Result>,
  inIndexOrder: boolean,
): Promise<Result> {
  const transaction = await database().transaction({ [SORTS_LAST]: inIndexOrder } as object);
  const failureIn = watchFailures(transaction);
  try {
    return await commitOrRollBack(transaction, work);
  } catch (error) {
    // `work` may have thrown another error than that of the statement, or gone on after it.
    const kind = failureIn();
    if (kind) markFailure(error, kind);
    throw error;
  }
}

async function commitOrRollBack<Result>(
  transaction: Transaction,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  let result: Result;
  try {
    result = await work(transaction);
  } catch (error) {
    // A rollback that fails closes the connection, which rolls back too.
    await transaction.rollback().catch(() => {});
    throw error;
  }
  await commit(database(), transaction);
  return result;
}

/**
 * Locks a row until the transaction ends, but lets others write rows that refer to it. SQLite has one writer. A transaction
 * that locks rows of several tables does so in one order, so that two never wait for each other: users, teams, domains,
 * projects, and then what belongs to a project; rows of one table in the order of their ids.
 */
export async function lockRow(table: string, id: string, transaction: Transaction): Promise<void> {
  if (dialect() === 'sqlite') return;
  await queryRaw(`SELECT id FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [id], transaction);
}

/** Keeps other transactions from writing to a table until this one ends. SQLite has one writer. */
export async function lockTable(table: string, transaction: Transaction): Promise<void> {
  if (dialect() === 'sqlite') return;
  await queryRaw(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`, [], transaction);
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
