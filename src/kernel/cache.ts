import { LRUCache } from 'lru-cache';

/**
 * Memoizes a pure function of one key: keeps its results for the `max` keys that were used last.
 */
export function memoize<Key extends string, Value extends object | string>(
  make: (key: Key) => Value,
  max: number,
): (key: Key) => Value {
  const known = new LRUCache<Key, Value>({ max });
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = make(key);
      known.set(key, value);
    }
    return value;
  };
}
