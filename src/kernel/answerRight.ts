import { AsyncLocalStorage } from 'node:async_hooks';
import { CodedError } from './errors.ts';

/**
 * The right to say how a request ended, which is taken once: by a transaction that is about to commit, or by a deadline that
 * is about to refuse. So whoever was told that nothing happened, nothing happened for.
 */
export class AnswerRight {
  #takenBy: 'commit' | 'refusal' | null = null;

  #hasLeft = false;

  get isRefused(): boolean {
    return this.#takenBy === 'refusal';
  }

  /** Nobody waits for the answer: what has not begun to commit need not. */
  leave(): void {
    this.#hasLeft = true;
  }

  /** Whether work for the request is in vain: it is refused, or whoever asked has gone before anything was committed. */
  get hasEnded(): boolean {
    return this.isRefused || (this.#hasLeft && this.#takenBy === null);
  }

  /** Whether it is refused: then nothing of it commits from now on. Else something has committed, or is about to. */
  refuse(): boolean {
    this.#takenBy ??= 'refusal';
    return this.isRefused;
  }

  /** Not when it is refused: see `takeForCommit`. */
  commit(): void {
    this.#takenBy ??= 'commit';
  }
}

const rights = new AsyncLocalStorage<AnswerRight | null>();

/** Whatever `work` commits takes that right; null: it is of no request, or is kept whatever the request is answered. */
export function withRight<Result>(right: AnswerRight | null, work: () => Result): Result {
  return rights.run(right, work);
}

export function currentRight(): AnswerRight | null {
  return rights.getStore() ?? null;
}

/** Takes the rights of all requests that a transaction is shared by, or throws when one of them is refused. */
export function takeForCommit(shared: readonly (AnswerRight | null)[]): void {
  refuseEnded(shared);
  for (const right of shared) right?.commit();
}

/** Throws when one of these requests is refused: what is done for it would be rolled back. */
export function refuseEnded(shared: readonly (AnswerRight | null)[]): void {
  if (shared.some((right) => right?.isRefused)) throw ended();
}

/** Throws also when whoever asked has gone: for work that is dear, and changes nothing by itself. */
export function refuseVain(right: AnswerRight | null): void {
  if (right?.hasEnded) throw ended();
}

function ended(): CodedError {
  return new CodedError('unavailable', 'The request took too long. Nothing was changed.', { retryAfterSeconds: 5 });
}
