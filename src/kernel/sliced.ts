import { setImmediate as nextTurn } from 'node:timers/promises';

/** Items of a part that is bounded by their sizes. */
const MAX_ITEMS = 200;
/** So long a computation may keep the process from answering others. */
const SLICE_MS = 2;

/**
 * Called between the pieces of a long computation: lets the process do something else when a slice of time is over.
 * Unlike `givingWay` and `besideRedirects` it never rests: somebody waits for the result, or a transaction is open.
 */
export function sliced(): () => Promise<void> {
  let beganAt = performance.now();
  return async () => {
    if (performance.now() - beganAt < SLICE_MS) return;
    await nextTurn();
    beganAt = performance.now();
  };
}

/** `map` over a list in slices of time: others are answered in between. */
export async function mapSliced<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  let beganAt = performance.now();
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    results.push(map(item, index));
    // Not `sliced`: to await something for each item costs as much as many an item.
    if (performance.now() - beganAt < SLICE_MS) continue;
    await nextTurn();
    beganAt = performance.now();
  }
  return results;
}

/** The same list in parts of at most `size` items. */
export function partsOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** The same list in parts whose sizes are at most `max` together, but for a single item that is larger. */
export function partsBySize<Item>(items: readonly Item[], sizeOf: (item: Item) => number, max: number): Item[][] {
  const parts: Item[][] = [];
  let left = 0;
  for (const item of items) {
    const size = sizeOf(item);
    const part = parts.at(-1);
    if (part && size <= left && part.length < MAX_ITEMS) part.push(item);
    else {
      parts.push([item]);
      left = max;
    }
    left -= size;
  }
  return parts;
}
