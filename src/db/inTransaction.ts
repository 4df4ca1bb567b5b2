import { Transaction } from 'sequelize';
import { database, dialect } from './database.ts';

let lastWrite: Promise<unknown> = Promise.resolve();
let waiting = 0;

/**
 * Runs `work` in one transaction and gives its result; whatever throws rolls everything back. Keep hashing and network
 * calls outside: on SQLite one transaction runs at a time, in the order of asking.
 */
export async function inTransaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  if (dialect() === 'postgres') return database().transaction(work);
  const run = () => database().transaction({ type: Transaction.TYPES.IMMEDIATE }, work);
  waiting += 1;
  const mine = lastWrite.then(run, run).finally(() => {
    waiting -= 1;
  });
  lastWrite = mine.catch(() => {});
  return mine;
}

/** Transactions that run or wait on the one writer of SQLite. */
export function writeQueueLength(): number {
  return waiting;
}
