/** Most items of a chunk that is bounded by the sizes of its items. */
const ITEMS_PER_CHUNK = 200;

/** The list in chunks of at most `size` items. */
export function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** The list in chunks whose items have at most `max` together; a single item that is larger makes a chunk of its own. */
export function chunksBySize<Item>(items: readonly Item[], sizeOf: (item: Item) => number, max: number): Item[][] {
  const chunks: Item[][] = [];
  let left = 0;
  for (const item of items) {
    const size = sizeOf(item);
    const chunk = chunks.at(-1);
    if (chunk && size <= left && chunk.length < ITEMS_PER_CHUNK) chunk.push(item);
    else {
      chunks.push([item]);
      left = max;
    }
    left -= size;
  }
  return chunks;
}
