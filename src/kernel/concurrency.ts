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
