import { remembering } from '../kernel/remembering.ts';

/** Of each kind of thing; what was pushed out is made once more. */
const MOST = 10_000;

/**
 * Makes equal things once: links repeat each other in what they say, and memory that a hundred thousand of them share is
 * memory that the next visitor's link is found in sooner. What is made must never be changed.
 */
export function sharing<Key extends string, Value extends object | string>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  return remembering(make, MOST);
}

/** One copy of each text. */
export const sharedText = sharing<string, string>((text) => text);
