/** What a slice is meant to have: few enough rows that making sense of them holds nothing else up. */
const WANTED = 500;
/** With more than these a slice is asked for again, cut shorter. */
export const MOST_ROWS = 5000;
const FIRST_MS = 300_000;
const LONGEST_MS = 86_400_000;

interface SliceSize<Row> {
  wanted: number;
  sizeOf(rows: Row[]): number;
}

/**
 * Reads a span of time slice by slice, in the order of time. `read` gives the rows of a slice in their order, MOST_ROWS + 1
 * at most; where rows stand for several, `sizeOf` says how many those are. Slices are as long as rows are rare: a page by
 * LIMIT would have a store that knows nothing of its tables sort all of the span for each page. It gives way to nothing,
 * but its slices are pieces between which a reader can.
 */
export async function* inSlices<Row>(
  fromMs: number,
  toMs: number,
  read: (fromMs: number, toMs: number) => Promise<Row[]>,
  { wanted, sizeOf }: SliceSize<Row> = { wanted: WANTED, sizeOf: ({ length }) => length },
): AsyncGenerator<Row[]> {
  let lengthMs = FIRST_MS;
  for (let at = fromMs; at < toMs; ) {
    const end = Math.min(at + lengthMs, toMs);
    const rows = await read(at, end);
    const size = sizeOf(rows);
    if (size > MOST_ROWS && lengthMs > 1) {
      lengthMs = Math.max(1, Math.floor(lengthMs / 8));
      continue;
    }
    if (rows.length > 0) yield rows;
    at = end;
    const factor = Math.min(4, Math.max(1 / 4, wanted / Math.max(size, 1)));
    lengthMs = Math.min(LONGEST_MS, Math.max(1, Math.round(lengthMs * factor)));
  }
}
