/** What a caller of the API is told while the store is down. */
export const STORE_AWAY = 'The store cannot be reached. Try again in a moment.';

/** The store did not respond in time, and counts as down. */
export class StoreUnresponsive extends Error {
  /** What a caller of the API is told. */
  readonly publicMessage: string = STORE_AWAY;
}

/** When the store has been silent for this long, the connections with unanswered queries are closed. */
const GIVE_UP_MS = 5000;

/** Whether the store responds, and what waits for it. */
class StoreWatch {
  #isSilent = false;
  #givingUp: NodeJS.Timeout | undefined;
  readonly #waiting = new Set<() => void>();

  get isAnyoneWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  markSilent(giveUp: () => void): void {
    if (this.#isSilent) return;
    this.#isSilent = true;
    this.#givingUp = setTimeout(giveUp, GIVE_UP_MS);
    for (const fail of [...this.#waiting]) fail();
  }

  markResponsive(): void {
    this.#isSilent = false;
    clearTimeout(this.#givingUp);
  }

  unlessSilent<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isSilent) return Promise.reject(unresponsive());
    return new Promise((resolve, reject) => {
      const fail = () => reject(unresponsive());
      this.#waiting.add(fail);
      work()
        .then(resolve, reject)
        .finally(() => this.#waiting.delete(fail));
    });
  }
}

const watch = new StoreWatch();

/**
 * PostgreSQL responds neither on an open connection nor to a new one, and refuses neither: the server hangs, or the network
 * drops packets. Calls that wait in `unlessStoreSilent` fail at once; `giveUp` is called when the silence lasts.
 */
export function markStoreSilent(giveUp: () => void): void {
  watch.markSilent(giveUp);
}

/** The store has responded, or this process no longer listens to it. */
export function markStoreResponsive(): void {
  watch.markResponsive();
}

/** Runs `work`, but throws `StoreUnresponsive` as soon as the store is silent. Work that has begun continues. */
export function unlessStoreSilent<Result>(work: () => Promise<Result>): Promise<Result> {
  return watch.unlessSilent(work);
}

/** Whether any work waits in `unlessStoreSilent`. */
export function isAnyoneWaiting(): boolean {
  return watch.isAnyoneWaiting;
}

function unresponsive(): StoreUnresponsive {
  return new StoreUnresponsive('the store does not respond');
}
