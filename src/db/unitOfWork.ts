import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transaction } from 'sequelize';
import { repeatOnConflict } from './conflicts.ts';
import { useAmbientTransaction } from './connection/internals.ts';
import { isConflict, markFailure } from './storeFailures.ts';

/**
 * A request with an Idempotency-Key must commit its changes and its stored response together, though the service that
 * makes the changes knows nothing of the response. So the first transaction that opens within a unit of work stays open:
 *
 *     runUnitOfWork(work, beforeCommit)
 *       work():          inTransaction → transaction opens, its work is done, it does not commit yet
 *                        inTransaction → joins the open transaction
 *       beforeCommit():  inTransaction → joins it too
 *       end():           the transaction commits (or rolls back, if work or beforeCommit threw)
 *
 * `groupCommit` may give several units of work one transaction. It commits when all of them have ended, and rolls back when
 * one of them fails; the others then run again, each in a transaction of its own.
 */
export interface UnitOfWork {
  /** The open transaction, once its own work is done; null before that, and in a unit of work that needs none. */
  transaction: Transaction | null;
  /** Settles when the transaction is open and its own work is done; null while none has begun. */
  opening: Promise<unknown> | null;
  /** Lets the transaction commit, or roll back when there is an error. */
  end(error?: unknown): void;
  /** Settles when `end` is called: fulfilled to commit, rejected to roll back. */
  verdict: Promise<void>;
  /** Settles when the transaction has committed or rolled back. */
  ended: Promise<unknown>;
  isOver: boolean;
  /** It must not share its transaction with other units of work. */
  isAlone: boolean;
}

/** Another unit of work rolled the shared transaction back: nothing of this one has been committed. */
export class SharedRollback extends Error {}

const units = new AsyncLocalStorage<UnitOfWork>();

/**
 * Runs `work` and keeps the first transaction that it opens open, with every query of this unit on it, until
 * `beforeCommit` has added its own rows: both commit together or not at all. When `work` opened no transaction,
 * `beforeCommit` gets one of its own. Both run again when another unit rolled their shared transaction back, or the store
 * did because of another transaction.
 */
export async function runUnitOfWork<Result>(
  work: () => Promise<Result>,
  beforeCommit: (result: Result) => Promise<void>,
): Promise<Result> {
  return repeatOnConflict(async (attempt) => {
    try {
      return await run(newUnit({ isAlone: attempt > 1 }), work, beforeCommit);
    } catch (error) {
      if (!(error instanceof SharedRollback)) throw error;
      return run(newUnit({ isAlone: true }), work, beforeCommit);
    }
  });
}

/**
 * Runs `work` to its end in a transaction of its own and rolls it back, whatever it did. Returns its result, which tells
 * what would have happened.
 */
export async function rehearse<Result>(work: () => Promise<Result>): Promise<Result> {
  let rehearsed: { result: Result } | undefined;
  const once = () =>
    run(newUnit({ isAlone: true }), work, async (result) => {
      rehearsed = { result };
      throw new RehearsalOver('rolled back');
    });
  try {
    await repeatOnConflict(once);
  } catch (error) {
    if (!(error instanceof RehearsalOver) || !rehearsed) throw error;
  }
  return (rehearsed as { result: Result }).result;
}

class RehearsalOver extends Error {}

/** The unit of work that the caller runs in; null outside of one, and for work that outlives its unit. */
export function currentUnitOfWork(): UnitOfWork | null {
  const unit = units.getStore();
  return unit && !unit.isOver ? unit : null;
}

/** Runs `work` as part of that unit, whatever unit the caller is in; null: as part of none. */
export function insideUnitOfWork<Result>(unit: UnitOfWork | null, work: () => Result): Result {
  return unit ? units.run(unit, work) : units.exit(work);
}

type Begin = (
  work: (transaction: Transaction) => Promise<void>,
  options: { mayRepeat: () => boolean },
) => Promise<void>;

/**
 * Opens the transaction of a unit with `begin`. Resolves with the result of `work` while the transaction stays open. From
 * then on a conflict ends the unit, which must run again as a whole.
 */
export function openUnitOfWork<Result>(
  unit: UnitOfWork,
  begin: Begin,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const opening = new Promise<Result>((resolve, reject) => {
    let isOpen = false;
    const ended = begin(
      async (transaction) => {
        const result = await work(transaction);
        unit.transaction = transaction;
        unit.ended = ended;
        isOpen = true;
        resolve(result);
        await unit.verdict;
      },
      { mayRepeat: () => !isOpen },
    );
    // Work that failed is rolled back, and may be tried again in the same unit.
    ended.catch(reject);
  });
  unit.opening = opening;
  return opening;
}

function run<Result>(
  unit: UnitOfWork,
  work: () => Promise<Result>,
  beforeCommit: (result: Result) => Promise<void>,
): Promise<Result> {
  return units.run(unit, async () => {
    try {
      const result = await work();
      await beforeCommit(result);
      unit.end();
      await unit.ended;
      return result;
    } catch (error) {
      unit.end(error);
      await unit.ended.catch((reason) => {
        if (isConflict(reason)) markFailure(error, 'conflict');
      });
      throw error;
    } finally {
      unit.isOver = true;
      unit.transaction = null;
    }
  });
}

function newUnit({ isAlone }: Pick<UnitOfWork, 'isAlone'>): UnitOfWork {
  let end: UnitOfWork['end'] = () => {};
  const verdict = new Promise<void>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve() : reject(error));
  });
  verdict.catch(() => {});
  return { transaction: null, opening: null, verdict, end, ended: Promise.resolve(), isOver: false, isAlone };
}

// A unit of work reads what it has written, also by queries that name no transaction.
useAmbientTransaction(() => currentUnitOfWork()?.transaction ?? null);
