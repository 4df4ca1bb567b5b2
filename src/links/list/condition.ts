import { withIndex } from '../../db/dialects.ts';
import { type Bind, buildQuery } from '../../db/query.ts';

/** A condition on links, as SQL over `links`, and a look-up of the links that satisfy it. */
export interface Condition {
  test(bind: Bind): string;
  /** Undefined: too many links satisfy it for a look-up. */
  source?: Source;
  /** The facet that it narrows; undefined for all other filters. */
  facet?: Facet;
}

/** A property of links that a list of groups shows beside the list of links. */
export type Facet = 'status' | 'tag' | 'domain';

/** A look-up that returns every link that satisfies a condition, in any order, and perhaps others. */
export interface Source {
  /** Follows FROM. On SQLite, which has no statistics here, it also names the index. */
  from: string;
  where(bind: Bind): string;
  /** What follows FROM when its rows are only counted, without reading the links; null: counting costs as much as reading. */
  entries: ((bind: Bind) => string) | null;
  /** It returns no others. */
  isExact: boolean;
  /** It reads an index in order of creation. */
  isByCreation: boolean;
}

/** A look-up in an index of `links` that begins with the project. `where`: its next columns, or the condition of a partial index. */
export function indexSource(
  projectId: string,
  index: string,
  where: (bind: Bind) => string,
  { isExact = true, isByCreation = false } = {},
): Source {
  const from = withIndex('links', index);
  const within = (bind: Bind) => `project_id = ${bind(projectId)} AND ${where(bind)}`;
  return { from, where: within, entries: (bind) => `${from} WHERE ${within(bind)}`, isExact, isByCreation };
}

/** The assumed number of links of a look-up that cannot be counted. */
const ASSUMED_COUNT = 10_000;

/** The condition whose look-up returns the fewest links; null when each returns `most` or more. */
export async function smallestSource(
  conditions: Condition[],
  most: number,
): Promise<{ condition: Condition; source: Source; count: number } | null> {
  let best: { condition: Condition; source: Source; count: number } | null = null;
  for (const condition of conditions) {
    const { source } = condition;
    if (!source) continue;
    const fewest: number = best?.count ?? most;
    const count = source.entries ? await countUpTo(source.entries, fewest) : ASSUMED_COUNT;
    if (count < fewest) best = { condition, source, count };
  }
  return best;
}

/** Counts rows, at most `most` of them: no more are read. */
export async function countUpTo(entries: (bind: Bind) => string, most: number): Promise<number> {
  const [counted] = await buildQuery<{ count: number }>(
    (bind) => `SELECT COUNT(*) AS count FROM (SELECT 1 FROM ${entries(bind)} LIMIT ${most}) AS found`,
  );
  return counted?.count ?? 0;
}
