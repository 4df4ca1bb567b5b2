import { dialect } from '../../db/database.ts';
import { type Stretch, stretchSql } from '../keyset.ts';
import type { Spot } from '../paging.ts';
import type { Condition, Source } from './condition.ts';
import { readSpots, spotOf, type Walk } from './walk.ts';

/** Nulls count as less than any value. */
const NULLS = { ASC: 'NULLS FIRST', DESC: 'NULLS LAST' };

/** Keeps PostgreSQL from reading all links in their order instead, in the hope that those it wants come early. */
const FENCE = { sqlite: '', postgres: 'OFFSET 0' };

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
    const where = [
      source.where(bind),
      `project_id = ${bind(projectId)}`,
      `(${within})`,
      ...tests.map(({ test }) => test(bind)),
    ];
    return `SELECT id, value FROM (
        SELECT ${spotOf(walk)} FROM ${source.from} WHERE ${where.join(' AND ')} ${FENCE[dialect()]}
      ) AS gathered ORDER BY value ${order.direction} ${NULLS[order.direction]}, id ${order.direction} LIMIT ${count}`;
  });
}
