import { database } from '../../src/db/connection/database.ts';
import { queryRaw } from '../../src/db/query.ts';
import { inTransaction } from '../../src/db/transactions.ts';

/** What asks for the table fails from now on. */
export async function renameTable(from: string, to: string): Promise<void> {
  await inTransaction((transaction) => queryRaw(`ALTER TABLE ${from} RENAME TO ${to}`, [], transaction));
}

/** Counts the transactions from now on, until it is asked how many there were. */
export function countTransactions(): () => number {
  const open = database() as unknown as { transaction: (...given: unknown[]) => unknown };
  const begin = open.transaction;
  let count = 0;
  open.transaction = (...given) => {
    count += 1;
    return begin.apply(open, given);
  };
  return () => {
    open.transaction = begin;
    return count;
  };
}

/** Transactions commit, but whoever asked for them does not hear so, until the returned function is called. */
export function loseCommits(): () => void {
  const open = database();
  const begin = open.transaction;
  open.transaction = async () => {
    const transaction = await begin.call(open);
    transaction.afterCommit(() => {
      throw new Error('Connection terminated');
    });
    return transaction;
  };
  return () => {
    open.transaction = begin;
  };
}
