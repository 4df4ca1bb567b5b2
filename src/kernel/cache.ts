import { LRUCache } from 'lru-cache';

/** `make`, which gives the same for the same key, with what it gave for the `most` keys asked for last kept in memory. */
export function remembering<Key extends string, Value extends object | string>(
  make: (key: Key) => Value,
  most: number,
): (key: Key) => Value {
  const known = new LRUCache<Key, Value>({ max: most });
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = make(key);
      known.set(key, value);
    }
    return value;
  };
}
