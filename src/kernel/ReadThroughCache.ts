import { LRUCache } from 'lru-cache';

/**
 * A bounded cache of values of the store. A value that was read while any value changed may be older than the change, so it
 * is returned and not kept.
 */
export class ReadThroughCache<Value extends object | boolean> {
  readonly #values: LRUCache<string, Value>;
  /** Grows with every change. */
  #changes = 0;

  constructor(options: { max: number; ttlMs: number }) {
    this.#values = new LRUCache({ max: options.max, ttl: options.ttlMs });
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** What `load` returns, values by key; they are kept unless something has changed meanwhile. */
  async load(load: () => Promise<[key: string, value: Value][]>): Promise<[key: string, value: Value][]> {
    const before = this.#changes;
    const loaded = await load();
    if (this.#changes === before) for (const [key, value] of loaded) this.#values.set(key, value);
    return loaded;
  }

  /** Drops a value that has changed. */
  invalidate(key: string): void {
    this.#changes += 1;
    this.#values.delete(key);
  }

  /** Drops all values. */
  clear(): void {
    this.#changes += 1;
    this.#values.clear();
  }
}
