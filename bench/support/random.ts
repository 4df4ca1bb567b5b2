/** Numbers from 0 up to but without 1; the same seed gives the same ones (mulberry32). */
export type Random = () => number;

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Picks entries as often as their weights say. */
export function picker<Entry>(
  random: Random,
  entries: readonly Entry[],
  weightOf: (entry: Entry, at: number) => number,
) {
  let reached = 0;
  const upTo = Float64Array.from(entries, (entry, at) => {
    reached += weightOf(entry, at);
    return reached;
  });
  return (): Entry => {
    const wanted = random() * reached;
    let [low, high] = [0, upTo.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((upTo[middle] as number) <= wanted) low = middle + 1;
      else high = middle;
    }
    return entries[low] as Entry;
  };
}

/** Weight of the entry at a place from 0 where few are very common and many are rare. */
export function zipf(exponent: number): (entry: unknown, at: number) => number {
  return (_, at) => 1 / (at + 1) ** exponent;
}
