import { LRUCache } from 'lru-cache';
import { withTimeout } from '../kernel/deadline.ts';
import { StoreUnresponsive } from '../kernel/storeResponse.ts';

interface Options<Value> {
  /** Bound of the values in memory; unknown keys get a tenth of it in addition. */
  max: number;
  /** Queries the store; null: there is no such value. Throws if the store is down. */
  load(key: string): Promise<Value | null>;
  /** How long a result is fresh, in milliseconds. */
  ttlMs(found: Value | null): number;
  /** How long to wait for the store if a stale value is cached, in milliseconds; default 60. */
  waitMs?: number;
}

interface Entry<Value> {
  found: Value;
  /** Milliseconds of the monotonic clock. */
  freshUntil: number;
}

interface PendingLoad<Value> {
  result: Promise<Value | null>;
  /** Resolves when callers with a stale value stop waiting. One timer for all of them. */
  patience: Promise<void>;
  isLate: boolean;
  /** Milliseconds of the monotonic clock. */
  startedAt: number;
  /** The value may be read from before a change. */
  isOutdated: boolean;
}

/** How long a visitor waits for the store if a stale value is cached; the contract allows 100 ms in all. */
const STALE_WAIT_MS = 60;
/** How long a visitor waits if nothing is cached; the contract allows 2 seconds in all. */
const UNKNOWN_WAIT_MS = 1700;
/** Concurrent loads while the store hangs: enough to notice its recovery, too few to fill its connection pool. */
const LOADS_WHILE_HANGING = 4;

/** Room for unknown keys, in relation to the room for values. */
const UNKNOWN_SHARE = 0.1;

/**
 * A bounded read-through cache of the store that serves stale values while the store is down or hangs. Unknown keys are
 * cached too, but apart: anyone can invent any number of them, and they must not evict values. During an outage an
 * unknown key is always loaded anew, so that an outage is never reported as "not found".
 */
export class StoreCache<Value extends object> {
  readonly #entries: LRUCache<string, Entry<Value>>;
  /** Unknown keys → until when that is fresh, in milliseconds of the monotonic clock. */
  readonly #unknown: LRUCache<string, number>;
  readonly #loads = new Map<string, PendingLoad<Value>>();
  readonly #options: Options<Value>;
  #lastResultAt = 0;
  #hangs = false;

  constructor(options: Options<Value>) {
    this.#options = options;
    this.#entries = new LRUCache({ max: options.max });
    this.#unknown = new LRUCache({ max: Math.ceil(options.max * UNKNOWN_SHARE) });
  }

  /** Takes over a value that another process has loaded. It is stale: the store is asked for it as soon as it can be. */
  remember(key: string, found: Value): void {
    this.#entries.set(key, { found, freshUntil: 0 });
  }

  /** The cached values, the last used ones first. */
  *values(): Iterable<Value> {
    for (const { found } of this.#entries.values()) yield found;
  }

  /** Number of cached values. */
  get size(): number {
    return this.#entries.size;
  }

  /** The cached result if it is fresh; undefined if the store must be queried by `find`. */
  peek(key: string): Value | null | undefined {
    const entry = this.#entries.get(key);
    if (entry) return performance.now() < entry.freshUntil ? entry.found : undefined;
    const freshUntil = this.#unknown.get(key);
    return freshUntil !== undefined && performance.now() < freshUntil ? null : undefined;
  }

  /** The value, or null if there is none. Throws if nothing is cached and the store is down or hangs. */
  async find(key: string): Promise<Value | null> {
    const fresh = this.peek(key);
    if (fresh !== undefined) return fresh;
    const stale = this.#entries.get(key)?.found;
    return stale ? this.#refresh(key, stale) : this.#load(key);
  }

  /** Drops a value that has changed. */
  invalidate(key: string): void {
    this.#entries.delete(key);
    this.#unknown.delete(key);
    const pending = this.#loads.get(key);
    if (pending) pending.isOutdated = true;
    this.#loads.delete(key);
  }

  /** Drops all matching values, and unknown keys, which may have one now. Scans the whole cache. */
  invalidateWhere(matches: (found: Value) => boolean): void {
    this.#unknown.clear();
    for (const pending of this.#loads.values()) pending.isOutdated = true;
    for (const [key, { found }] of this.#entries) if (matches(found)) this.#entries.delete(key);
  }

  /** Anything may have changed: drops unknown keys, and marks all values as stale. */
  expireAll(): void {
    for (const pending of this.#loads.values()) pending.isOutdated = true;
    this.#unknown.clear();
    for (const entry of this.#entries.values()) entry.freshUntil = 0;
  }

  /** The store's result if it comes soon, else the stale value; a late result is still cached. */
  async #refresh(key: string, stale: Value): Promise<Value | null> {
    const pending = this.#startLoad(key);
    if (!pending || pending.isLate || this.#hangs) return stale;
    return Promise.race([pending.result.catch(() => stale), pending.patience.then(() => stale)]);
  }

  async #load(key: string): Promise<Value | null> {
    const pending = this.#startLoad(key);
    const left = pending ? pending.startedAt + UNKNOWN_WAIT_MS - performance.now() : 0;
    if (!pending || left <= 0) throw new StoreUnresponsive('the store does not answer');
    return withTimeout(
      pending.result,
      left,
      () => new StoreUnresponsive(`the store did not answer for ${UNKNOWN_WAIT_MS} ms`),
    );
  }

  /** Concurrent callers for one key share a load. Undefined: the store hangs, and enough loads are waiting for it. */
  #startLoad(key: string): PendingLoad<Value> | undefined {
    const running = this.#loads.get(key);
    // A caller after a change must not get a value read before it.
    if (running && (!running.isOutdated || this.#hangs)) return running;
    if (this.#hangs && this.#loads.size >= LOADS_WHILE_HANGING) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const { waitMs = STALE_WAIT_MS } = this.#options;
    const pending: PendingLoad<Value> = {
      result: this.#options.load(key),
      patience: new Promise((resolve) => {
        timer = setTimeout(() => {
          pending.isLate = true;
          resolve();
          timer = setTimeout(() => this.#checkSilence(pending), UNKNOWN_WAIT_MS - waitMs);
        }, waitMs);
      }),
      startedAt: performance.now(),
      isLate: false,
      isOutdated: false,
    };
    this.#loads.set(key, pending);
    const end = () => {
      clearTimeout(timer);
      if (this.#loads.get(key) === pending) this.#loads.delete(key);
    };
    pending.result.then((found) => {
      this.#hangs = false;
      this.#lastResultAt = performance.now();
      if (!pending.isOutdated) this.#keep(key, found);
      end();
    }, end);
    return pending;
  }

  #keep(key: string, found: Value | null): void {
    const freshUntil = performance.now() + this.#options.ttlMs(found);
    if (found) {
      this.#entries.set(key, { found, freshUntil });
      this.#unknown.delete(key);
    } else {
      this.#unknown.set(key, freshUntil);
      this.#entries.delete(key);
    }
  }

  /** The store hangs unless it has answered another load since; then only this one is slow. */
  #checkSilence(pending: PendingLoad<Value>): void {
    if (this.#lastResultAt < pending.startedAt) this.#hangs = true;
  }
}
