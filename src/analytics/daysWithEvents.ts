import { type Dialect, dialect } from '../db/database.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import { DAY_MS } from '../kernel/durations.ts';
import { APP_TABLES } from './appTables.ts';
import type { Question } from './Question.ts';

/** Before every moment of the UTC days after the one of `found.at`, and after all of its own. */
const NEXT_DAY: Record<Dialect, string> = {
  sqlite: "substr(found.at, 1, 10) || ' 24'",
  postgres: "date_trunc('day', found.at, 'UTC') + INTERVAL '24 hours'",
};

/**
 * UTC days in a question's range that have events which are in no block; none for clicks. It looks into the index once for
 * each of them and for no other: a range may be thousands of years long.
 */
export async function daysWithEvents({ projectId, event, range }: Question): Promise<number[]> {
  if (event === 'click') return [];
  const { table, only } = APP_TABLES[event] ?? { table: 'orphans', only: 'true' };
  // LIMIT, not MIN: whatever a store thinks of the table, the index is the shortest way.
  const firstFrom = (start: string) =>
    `(SELECT occurred_at FROM ${table} WHERE project_id = $1 AND ${only} AND occurred_at >= ${start} AND occurred_at < $3
      ORDER BY occurred_at, id LIMIT 1)`;
  const rows = await selectBound<{ at: string | Date }>(
    `WITH RECURSIVE found(at) AS (
       SELECT ${firstFrom('$2')}
       UNION ALL
       SELECT ${firstFrom(NEXT_DAY[dialect()])} FROM found WHERE found.at IS NOT NULL
     ) SELECT at FROM found WHERE at IS NOT NULL`,
    [projectId, sqlTime(range.start), sqlTime(range.end)],
  );
  return rows.map(({ at }) => Math.floor(new Date(at).getTime() / DAY_MS));
}
