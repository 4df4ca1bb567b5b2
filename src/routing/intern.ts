import { memoize } from '../kernel/cache.ts';

/** Interned values of each kind; values that were evicted are created again. */
const MAX_VALUES = 10_000;

/**
 * Returns a factory that creates equal values only once. Links share most of their parts: interning saves memory and
 * keeps the caches of the CPU warm with 100,000 links in use. The values must never be mutated.
 */
export function interning<Key extends string, Value extends object | string>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  return memoize(make, MAX_VALUES);
}

/** Returns one shared copy of equal texts. */
export const internedText = interning<string, string>((text) => text);
