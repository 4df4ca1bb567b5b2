/** The known name that is most like one that is not known; undefined when none is alike. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name);
  const same = known.find((other) => plain(other) === wanted);
  if (same) return same;
  const ranked = known
    .map((other) => ({ other, distance: distanceOf(wanted, plain(other)) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= Math.max(1, Math.floor(wanted.length / 3)) ? best.other : undefined;
}

function plain(name: string): string {
  return name
    .slice(0, 60)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

/** Levenshtein's: letters to insert, delete or replace. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
