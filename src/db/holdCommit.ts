import { AsyncLocalStorage } from 'node:async_hooks';
import { Sequelize, type Transaction } from 'sequelize';

/** What runs inside `holdCommit`. */
export interface HeldScope {
  /** Open, with its work done; null before, and when there was none. */
  transaction: Transaction | null;
  /** The work of the transaction is running. */
  opening: Promise<unknown> | null;
  /** Lets the transaction commit, or with an error roll back. */
  end(error?: unknown): void;
  verdict: Promise<void>;
  /** Settles when the transaction has ended. */
  ended: Promise<unknown>;
  isOver: boolean;
  /** Shares its transaction with nobody. */
  isAlone: boolean;
}

/** A transaction that a scope shared was rolled back because of somebody else: nothing of the scope's work has landed. */
export class SharedRollback extends Error {}

const scopes = new AsyncLocalStorage<HeldScope>();

/**
 * Runs `work` and keeps the first transaction that it makes open, with every query of this scope on it, until
 * `beforeCommit` has added its own rows to it: both commit together or not at all. When `work` made no transaction,
 * `beforeCommit` gets one of its own. The transaction may be shared with other scopes (`together`): when another rolls it
 * back, everything is done once more.
 */
export async function holdCommit<Result>(
  work: () => Promise<Result>,
  beforeCommit: (result: Result) => Promise<void>,
): Promise<Result> {
  try {
    return await inScope(newScope({ isAlone: false }), work, beforeCommit);
  } catch (error) {
    if (!(error instanceof SharedRollback)) throw error;
    return inScope(newScope({ isAlone: true }), work, beforeCommit);
  }
}

/** What `work` asks and writes belongs to that scope, whoever calls it; null: to none. */
export function insideScope<Result>(scope: HeldScope | null, work: () => Result): Result {
  return scope ? scopes.run(scope, work) : scopes.exit(work);
}

function inScope<Result>(
  scope: HeldScope,
  work: () => Promise<Result>,
  beforeCommit: (result: Result) => Promise<void>,
): Promise<Result> {
  return scopes.run(scope, async () => {
    try {
      const result = await work();
      await beforeCommit(result);
      scope.end();
      await scope.ended;
      return result;
    } catch (error) {
      scope.end(error);
      await scope.ended.catch(() => {});
      throw error;
    } finally {
      scope.isOver = true;
      scope.transaction = null;
    }
  });
}

/** The scope that the caller runs in; null outside, and for what outlives its scope. */
export function heldScope(): HeldScope | null {
  const scope = scopes.getStore();
  return scope && !scope.isOver ? scope : null;
}

/** Begins the transaction of a scope. Gives the result of `work` while the transaction stays open. */
export function openHeld<Result>(
  scope: HeldScope,
  begin: (work: (transaction: Transaction) => Promise<void>) => Promise<void>,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const opening = new Promise<Result>((resolve, reject) => {
    const ended = begin(async (transaction) => {
      const result = await work(transaction);
      scope.transaction = transaction;
      scope.ended = ended;
      resolve(result);
      await scope.verdict;
    });
    // Work that failed is rolled back and may be tried again in the same scope.
    ended.catch(reject);
  });
  scope.opening = opening;
  return opening;
}

function newScope({ isAlone }: Pick<HeldScope, 'isAlone'>): HeldScope {
  let end: HeldScope['end'] = () => {};
  const verdict = new Promise<void>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve() : reject(error));
  });
  verdict.catch(() => {});
  return { transaction: null, opening: null, verdict, end, ended: Promise.resolve(), isOver: false, isAlone };
}

// Sequelize asks this for the transaction of queries that name none: what a held scope reads is what it has written.
Sequelize.useCLS({
  bind: (listener: unknown) => listener,
  run: (callback: (context: object) => unknown) => callback({}),
  get: () => heldScope()?.transaction ?? undefined,
  set: () => {},
} as never);
