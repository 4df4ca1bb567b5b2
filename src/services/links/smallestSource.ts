import { type Bind, selectWritten } from '../../db/selectWritten.ts';
import type { Condition, Source } from './condition.ts';

/** What a look-up is taken to give that cannot be counted. */
const UNCOUNTED = 10_000;

/** Of these conditions the one whose look-up gives the fewest links; null when each gives `most` or more. */
export async function smallestSource(
  conditions: Condition[],
  most: number,
): Promise<{ condition: Condition; source: Source; count: number } | null> {
  let best: { condition: Condition; source: Source; count: number } | null = null;
  for (const condition of conditions) {
    const { source } = condition;
    if (!source) continue;
    const fewest: number = best?.count ?? most;
    const count = source.entries ? await countUpTo(source.entries, fewest) : UNCOUNTED;
    if (count < fewest) best = { condition, source, count };
  }
  return best;
}

/** How many rows there are after that FROM, as far as `most`: nothing beyond is looked at. */
export async function countUpTo(entries: (bind: Bind) => string, most: number): Promise<number> {
  const [counted] = await selectWritten<{ count: number }>(
    (bind) => `SELECT COUNT(*) AS count FROM (SELECT 1 FROM ${entries(bind)} LIMIT ${most}) AS found`,
  );
  return counted?.count ?? 0;
}
