import { type AnswerRight, currentRight, withRight } from '../kernel/answerRight.ts';
import { CodedError } from '../kernel/errors.ts';
import { type HeldScope, heldScope, insideScope, SharedRollback } from './holdCommit.ts';
import { begin, inTransaction } from './inTransaction.ts';
import { isStoreDown } from './isStoreDown.ts';
import type { Transaction } from './sequelize.ts';

/** Writes several items in one transaction; gives a result or a refusal for each, in their order. */
type Write<Item, Result> = (items: Item[], transaction: Transaction) => Promise<(Result | CodedError)[]>;

interface Caller<Item, Result> {
  item: Item;
  scope: HeldScope | null;
  right: AnswerRight | null;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Most items of one transaction: some ten milliseconds, for which other writers wait. */
const MOST = 100;

/**
 * Makes of `write` a function for one item, which combines the calls that come while others are being written into the
 * next transaction: a store with one writer then writes many at the cost of one. Each call settles when its item is
 * committed, or throws its refusal; inside `holdCommit` it settles before, and the commit waits for the scope. When a
 * transaction fails, its items are written each in their own.
 */
export function together<Item, Result>(write: Write<Item, Result>): (item: Item) => Promise<Result> {
  const waiting: Caller<Item, Result>[] = [];
  let isWriting = false;

  const writeAll = async () => {
    isWriting = true;
    while (waiting.length > 0) await writeShared(write, waiting.splice(0, MOST));
    isWriting = false;
  };

  return (item) => {
    const scope = heldScope();
    if (scope && (scope.isAlone || scope.opening)) return writeAlone(write, item);
    return new Promise<Result>((resolve, reject) => {
      waiting.push({ item, scope, right: currentRight(), resolve, reject });
      if (!isWriting) void withRight(null, () => insideScope(null, writeAll));
    });
  };
}

async function writeAlone<Item, Result>(write: Write<Item, Result>, item: Item): Promise<Result> {
  return inTransaction(async (transaction) => {
    const [result] = await write([item], transaction);
    if (result instanceof CodedError) throw result;
    return result as Result;
  });
}

/** Settles every caller; never rejects. */
async function writeShared<Item, Result>(write: Write<Item, Result>, callers: Caller<Item, Result>[]): Promise<void> {
  let results: (Result | CodedError)[] = [];
  const isHeld = ({ scope }: Caller<Item, Result>, at: number) =>
    scope !== null && !(results[at] instanceof CodedError);
  let hasHandedOver = false;
  const ended = begin(
    async (transaction) => {
      results = await write(
        callers.map(({ item }) => item),
        transaction,
      );
      hasHandedOver = true;
      await verdictOf(callers.filter(isHeld), transaction, ended, (caller) =>
        caller.resolve(results[callers.indexOf(caller)] as Result),
      );
    },
    callers.map(({ right }) => right),
  );
  const error = await ended.then(
    () => null,
    (reason: unknown) => reason ?? new Error('rolled back'),
  );
  const left = callers.filter((caller, at) => !(hasHandedOver && isHeld(caller, at)));
  if (error && !isStoreDown(error)) {
    for (const { item, scope, right, resolve, reject } of left) {
      // In the caller's scope: what it writes has to commit with the answer there too.
      await withRight(right, () => insideScope(scope, () => writeAlone(write, item))).then(resolve, reject);
    }
    return;
  }
  for (const caller of left) {
    const result = results[callers.indexOf(caller)];
    if (error ?? result instanceof CodedError) caller.reject(error ?? result);
    else caller.resolve(result as Result);
  }
}

/** Gives the transaction to the scopes of these callers, and waits for all of them. Throws when one rolls back. */
async function verdictOf<Item, Result>(
  held: Caller<Item, Result>[],
  transaction: Transaction,
  ended: Promise<void>,
  handOver: (caller: Caller<Item, Result>) => void,
): Promise<void> {
  for (const caller of held) {
    const scope = caller.scope as HeldScope;
    scope.transaction = transaction;
    scope.opening = Promise.resolve();
    scope.ended = ended.catch((error) => {
      throw isStoreDown(error) ? error : new SharedRollback('rolled back', { cause: error });
    });
    scope.ended.catch(() => {});
    handOver(caller);
  }
  // All of them: nobody may still be writing when the transaction ends.
  const verdicts = await Promise.allSettled(held.map(({ scope }) => scope?.verdict));
  for (const verdict of verdicts) if (verdict.status === 'rejected') throw verdict.reason;
}
