import { dialect } from '../../db/database.ts';
import type { Bind } from '../../db/selectWritten.ts';
import { type Stretch, stretchSql } from '../keyset.ts';
import type { Spot } from '../paging.ts';
import type { Condition, Source } from './condition.ts';
import { readSpots, spotOf, type Walk } from './walk.ts';

/** Nulls count as less than any value. */
const NULLS = { ASC: 'NULLS FIRST', DESC: 'NULLS LAST' };

/**
 * What the look-up gives. PostgreSQL sees it alone: together with the rest it may read all links in their order instead,
 * because it takes comparisons of rows for rarer than they are.
 */
const LOOKED_UP = {
  sqlite: ({ from, where }: Source, bind: Bind) => `${from} WHERE ${where(bind)}`,
  postgres: ({ from, where }: Source, bind: Bind) =>
    `(SELECT links.* FROM ${from} WHERE ${where(bind)} OFFSET 0) AS links WHERE true`,
};

/** The first links of these stretches, of those that a condition's look-up gives. */
export function gatherLinks(
  walk: Walk,
  condition: Condition,
  source: Source,
  stretches: Stretch[],
  count: number,
): Promise<Spot[]> {
  const { order, projectId, conditions } = walk;
  const tests = conditions.filter((other) => other !== condition || !source.isExact);
  return readSpots(walk, (bind) => {
    const within = stretches.map((stretch) => `(${stretchSql(order, stretch, bind)})`).join(' OR ');
    const lookedUp = LOOKED_UP[dialect()](source, bind);
    const where = [`project_id = ${bind(projectId)}`, `(${within})`, ...tests.map(({ test }) => test(bind))];
    return `SELECT id, value FROM (
        SELECT ${spotOf(walk)} FROM ${lookedUp} AND ${where.join(' AND ')}
      ) AS gathered ORDER BY value ${order.direction} ${NULLS[order.direction]}, id ${order.direction} LIMIT ${count}`;
  });
}
