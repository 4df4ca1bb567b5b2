/**
 * Returns a function that runs work, at most `limit` pieces at a time, first come, first served. It returns null instead
 * of a promise when `maxWaiting` pieces wait already.
 */
export function limitConcurrency(limit: number, maxWaiting = Number.POSITIVE_INFINITY) {
  const waiting: (() => void)[] = [];
  let running = 0;
  const end = () => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
  return <Result>(work: () => Promise<Result>): Promise<Result> | null => {
    if (running < limit) {
      running += 1;
      return work().finally(end);
    }
    if (waiting.length >= maxWaiting) return null;
    return new Promise<void>((start) => waiting.push(start)).then(work).finally(end);
  };
}

/** Returns a function that runs work once earlier work with the same key has ended, in the order of the calls. */
export function keyedMutex() {
  /** Settles when the last queued work of a key has ended; keys without work have no entry. */
  const tails = new Map<string, Promise<unknown>>();
  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const before = tails.get(key) ?? Promise.resolve();
    const result = before.then(work);
    const tail = result.catch(() => {});
    tails.set(key, tail);
    try {
      return await result;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}

/**
 * A read-write lock for asynchronous work: any number of `read` calls run concurrently, a `write` call runs alone. First
 * come, first served. Failing work releases the lock.
 */
export class ReadWriteLock {
  /** Resolves when the last queued writer has ended. */
  #lastWriter: Promise<unknown> = Promise.resolve();
  readonly #readers = new Set<Promise<unknown>>();

  read<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#lastWriter.then(work);
    const ended: Promise<unknown> = result.catch(() => {}).then(() => this.#readers.delete(ended));
    this.#readers.add(ended);
    return result;
  }

  write<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = Promise.all([this.#lastWriter, ...this.#readers]).then(work);
    this.#lastWriter = result.catch(() => {});
    return result;
  }
}

interface Turns {
  /** Pieces that run at a time. */
  limit: number;
  /** Pieces of one owner that run at a time; `limit` unless given. */
  limitOfOwner?: number;
  /** Pieces that may wait. */
  maxWaiting: number;
  /** Pieces of one owner that may wait. */
  maxWaitingOfOwner: number;
}

/**
 * Returns a function that runs the work of owners who take turns: one with a thousand pieces delays the first piece of
 * another by a single piece. It returns null instead of a promise when too many pieces wait already, of all or of this
 * owner, unless the caller is patient.
 */
export function takeTurns({ limit, limitOfOwner = limit, maxWaiting, maxWaitingOfOwner }: Turns) {
  /** By owner, in the order of their turns. Owners without waiting pieces have no entry. */
  const waiting = new Map<string, (() => void)[]>();
  let waitingCount = 0;
  const runningOf = new Map<string, number>();
  let running = 0;

  const mayStart = (owner: string) => running < limit && (runningOf.get(owner) ?? 0) < limitOfOwner;
  const count = (owner: string, change: 1 | -1) => {
    running += change;
    const left = (runningOf.get(owner) ?? 0) + change;
    if (left > 0) runningOf.set(owner, left);
    else runningOf.delete(owner);
  };
  const startNext = () => {
    const [found] = [...waiting].filter(([owner]) => mayStart(owner));
    if (!found) return;
    const [owner, [start, ...rest]] = found;
    waiting.delete(owner);
    // Behind all others.
    if (rest.length > 0) waiting.set(owner, rest);
    waitingCount -= 1;
    count(owner, 1);
    start?.();
  };
  const run = async <Result>(owner: string, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } finally {
      count(owner, -1);
      startNext();
    }
  };

  return <Result>(owner: string, work: () => Promise<Result>, isPatient = false): Promise<Result> | null => {
    if (mayStart(owner)) {
      count(owner, 1);
      return run(owner, work);
    }
    const own = waiting.get(owner) ?? [];
    if (!isPatient && (waitingCount >= maxWaiting || own.length >= maxWaitingOfOwner)) return null;
    waitingCount += 1;
    return new Promise<void>((start) => waiting.set(owner, [...own, start])).then(() => run(owner, work));
  };
}
