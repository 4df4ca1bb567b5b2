import { Transaction } from 'sequelize';
import { type AnswerRight, currentRight, refuseEnded, takeForCommit } from '../kernel/answerRight.ts';
import { database, dialect } from './database.ts';
import { heldScope, openHeld } from './holdCommit.ts';

let lastWrite: Promise<unknown> = Promise.resolve();

/**
 * Runs `work` in one transaction and gives its result; whatever throws rolls everything back. Keep hashing and network
 * calls outside: on SQLite one transaction runs at a time, in the order of asking. Inside `holdCommit` the commit waits
 * until the held scope ends, and later calls join the transaction that is open.
 */
export async function inTransaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  const scope = heldScope();
  if (!scope) return begin(work);
  await scope.opening?.catch(() => {});
  return scope.transaction ? work(scope.transaction) : openHeld(scope, begin, work);
}

/**
 * A transaction of its own, whatever scope the caller is in. It commits only if none of the requests that it is of was
 * refused meanwhile.
 */
export async function begin<Result>(
  work: (transaction: Transaction) => Promise<Result>,
  requests: readonly (AnswerRight | null)[] = [currentRight()],
): Promise<Result> {
  const inTime = async (transaction: Transaction) => {
    refuseEnded(requests);
    const result = await work(transaction);
    takeForCommit(requests);
    return result;
  };
  if (dialect() === 'postgres') return database().transaction(inTime);
  const run = () => database().transaction({ type: Transaction.TYPES.IMMEDIATE }, inTime);
  const mine = lastWrite.then(run, run);
  lastWrite = mine.catch(() => {});
  return mine;
}
