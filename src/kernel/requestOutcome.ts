import { AsyncLocalStorage } from 'node:async_hooks';
import { CodedError } from './errors.ts';

/**
 * How a request ended, which is decided once: either a transaction is about to commit, or a deadline is about to refuse the
 * request. So a client that was told that nothing has changed can rely on it.
 */
export class RequestOutcome {
  #decision: 'commit' | 'refusal' | null = null;
  #isAbandoned = false;

  get isRefused(): boolean {
    return this.#decision === 'refusal';
  }

  /** The client has disconnected: work that has not begun to commit is no longer needed. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  /** Whether further work is pointless: the request is refused, or the client left before anything was committed. */
  get hasEnded(): boolean {
    return this.isRefused || (this.#isAbandoned && this.#decision === null);
  }

  /** Tries to refuse the request. Returns true if nothing of it will commit; false if a commit came first. */
  refuse(): boolean {
    this.#decision ??= 'refusal';
    return this.isRefused;
  }

  /** Records that a commit is about to happen. Only `claimCommit` calls it, which checks for a refusal first. */
  commit(): void {
    this.#decision ??= 'commit';
  }
}

const outcomes = new AsyncLocalStorage<RequestOutcome | null>();

/** Commits within `work` count for that request; null: for none, because they stand however the request ends. */
export function withOutcome<Result>(outcome: RequestOutcome | null, work: () => Result): Result {
  return outcomes.run(outcome, work);
}

/** The outcome of the request that the caller works for. */
export function currentOutcome(): RequestOutcome | null {
  return outcomes.getStore() ?? null;
}

/** Decides for a commit in all requests that share a transaction. Throws `unavailable` when one of them is refused. */
export function claimCommit(shared: readonly (RequestOutcome | null)[]): void {
  throwIfRefused(shared);
  for (const outcome of shared) outcome?.commit();
}

/** Throws `unavailable` when one of these requests is refused: its work would be rolled back. */
export function throwIfRefused(shared: readonly (RequestOutcome | null)[]): void {
  if (shared.some((outcome) => outcome?.isRefused)) throw ended();
}

/** Throws `unavailable` when the request is refused or its client has left: before expensive work that changes nothing. */
export function throwIfEnded(outcome: RequestOutcome | null): void {
  if (outcome?.hasEnded) throw ended();
}

function ended(): CodedError {
  return new CodedError('unavailable', 'The request took too long. Nothing was changed.', { retryAfterSeconds: 5 });
}
