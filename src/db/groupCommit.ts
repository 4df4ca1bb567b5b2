import type { Transaction } from 'sequelize';
import { endOfChecks } from '../kernel/dryRun.ts';
import { CodedError } from '../kernel/errors.ts';
import { currentOutcome, type RequestOutcome, withOutcome } from '../kernel/requestOutcome.ts';
import { isStoreDown } from './storeFailures.ts';
import { begin, inTransaction } from './transactions.ts';
import { currentUnitOfWork, insideUnitOfWork, SharedRollback, type UnitOfWork } from './unitOfWork.ts';

/** Writes several items in one transaction. Returns a result or a refusal for each, in the order of the items. */
type Write<Item, Result> = (items: Item[], transaction: Transaction) => Promise<(Result | CodedError)[]>;

/** A call that waits for its item to be written. */
interface Caller<Item, Result> {
  item: Item;
  unit: UnitOfWork | null;
  outcome: RequestOutcome | null;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Items per transaction. A hundred take some ten milliseconds, for which other writers wait. */
const MAX_ITEMS = 100;

interface Options {
  /** See the function of that name; for groups alone, since a single item may be part of another transaction. */
  inIndexOrder?: boolean;
}

/**
 * Group commit: turns `write` into a function for one item. Calls that arrive while a transaction runs are combined in the
 * next one, so that a store with one writer commits many items at the cost of one. Each call settles when its item is
 * committed, or throws its refusal. Within a unit of work it settles earlier, and the commit waits for the unit. When a
 * transaction fails, each of its items is written again in a transaction of its own.
 */
export function groupCommit<Item, Result>(
  write: Write<Item, Result>,
  options: Options = {},
): (item: Item) => Promise<Result> {
  const waiting: Caller<Item, Result>[] = [];
  let isWriting = false;

  const writeAll = async () => {
    isWriting = true;
    while (waiting.length > 0) await writeGroup(write, waiting.splice(0, MAX_ITEMS), options);
    isWriting = false;
  };

  return (item) => {
    endOfChecks();
    const unit = currentUnitOfWork();
    if (unit && (unit.isAlone || unit.opening)) return writeAlone(write, item);
    return new Promise<Result>((resolve, reject) => {
      waiting.push({ item, unit, outcome: currentOutcome(), resolve, reject });
      if (!isWriting) void withOutcome(null, () => insideUnitOfWork(null, writeAll));
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
async function writeGroup<Item, Result>(
  write: Write<Item, Result>,
  callers: Caller<Item, Result>[],
  options: Options,
): Promise<void> {
  let results: (Result | CodedError)[] = [];
  const isHeld = ({ unit }: Caller<Item, Result>, at: number) => unit !== null && !(results[at] instanceof CodedError);
  let hasHandedOver = false;
  const ended = begin(
    async (transaction) => {
      results = await write(
        callers.map(({ item }) => item),
        transaction,
      );
      hasHandedOver = true;
      await handOver(callers.filter(isHeld), transaction, ended, (caller) =>
        caller.resolve(results[callers.indexOf(caller)] as Result),
      );
    },
    { requests: callers.map(({ outcome }) => outcome), mayRepeat: () => !hasHandedOver, ...options },
  );
  const error = await ended.then(
    () => null,
    (reason: unknown) => reason ?? new Error('rolled back'),
  );
  const left = callers.filter((caller, at) => !(hasHandedOver && isHeld(caller, at)));
  if (error && !isStoreDown(error)) return writeEach(write, left);
  for (const caller of left) {
    const result = results[callers.indexOf(caller)];
    if (error ?? result instanceof CodedError) caller.reject(error ?? result);
    else caller.resolve(result as Result);
  }
}

/** After a group has failed: each item by itself, in the unit of its caller, whose other rows must commit with it. */
async function writeEach<Item, Result>(write: Write<Item, Result>, callers: Caller<Item, Result>[]): Promise<void> {
  for (const { item, unit, outcome, resolve, reject } of callers) {
    await withOutcome(outcome, () => insideUnitOfWork(unit, () => writeAlone(write, item))).then(resolve, reject);
  }
}

/** Hands the open transaction over to the units of these callers and waits for all of them. Throws when one rolls back. */
async function handOver<Item, Result>(
  held: Caller<Item, Result>[],
  transaction: Transaction,
  ended: Promise<void>,
  settle: (caller: Caller<Item, Result>) => void,
): Promise<void> {
  for (const caller of held) {
    const unit = caller.unit as UnitOfWork;
    unit.transaction = transaction;
    unit.opening = Promise.resolve();
    unit.ended = ended.catch((error) => {
      throw isStoreDown(error) ? error : new SharedRollback('rolled back', { cause: error });
    });
    unit.ended.catch(() => {});
    settle(caller);
  }
  // Wait for all of them, also after one has failed: none may still be writing when the transaction ends.
  const verdicts = await Promise.allSettled(held.map(({ unit }) => unit?.verdict));
  for (const verdict of verdicts) if (verdict.status === 'rejected') throw verdict.reason;
}
