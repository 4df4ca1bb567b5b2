import { QUARTERS_A_DAY } from '../clicks/periods.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { jsonList } from '../db/jsonList.ts';
import { withJsonRows } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import { sliced } from '../kernel/sliced.ts';
import { countDay, type DayCounts } from './countDay.ts';

/** Days that are written at once when many are counted, as when a project is looked at for the first time. */
const BATCH = 10;

/**
 * Clicks by the hour of the days from `from` up to and with `last` (UTC, since the epoch). Days are remembered and counted
 * anew when their clicks have changed, however late: so figures are always those of analytics.
 */
export async function readDays(projectId: string, from: number, last: number): Promise<Map<number, DayCounts>> {
  const stamps = await readStamps(projectId, from, last);
  const rows = await selectBound<{ day: number; stamp: string; content: string }>(
    'SELECT day, stamp, content FROM traffic_days WHERE project_id = $1 AND day >= $2 AND day <= $3',
    [projectId, from, last],
  );
  const giveWay = sliced();
  const days = new Map<number, DayCounts>();
  for (const { day, stamp, content } of rows) {
    if (stamp !== stamps.get(day)) continue;
    days.set(day, JSON.parse(content));
    await giveWay();
  }
  const outdated = [...stamps].filter(([day]) => !days.has(day));
  for (let at = 0; at < outdated.length; at += BATCH) {
    const written: [string, number, string, string][] = [];
    for (const [day, stamp] of outdated.slice(at, at + BATCH)) {
      const counts = await countDay(projectId, day, day < last);
      days.set(day, counts);
      written.push([projectId, day, stamp, JSON.stringify(counts)]);
    }
    await remember(written);
  }
  return days;
}

/**
 * What stands for the clicks of each day that has any. It is read before they are counted: what comes meanwhile makes it
 * another. That a day is over is part of it, for then fewer links are kept.
 */
async function readStamps(projectId: string, from: number, last: number): Promise<Map<number, string>> {
  const [row] = await selectBound<{ listed: string }>(
    `SELECT ${jsonList('day, clicks, version')} AS listed FROM (
      SELECT quarter / ${QUARTERS_A_DAY} AS day, CAST(SUM(clicks) AS BIGINT) AS clicks, MAX(version) AS version FROM (
        SELECT from_quarter AS quarter, clicks, version FROM click_blocks
        WHERE project_id = $1 AND from_quarter >= $2 AND from_quarter < $3
        UNION ALL
        SELECT quarter, clicks, 0 FROM click_backlog WHERE project_id = $1 AND quarter >= $2 AND quarter < $3
      ) AS stock GROUP BY 1
    ) AS days`,
    [projectId, from * QUARTERS_A_DAY, (last + 1) * QUARTERS_A_DAY],
  );
  const listed = JSON.parse(row?.listed ?? '[]') as [day: number, clicks: number, version: number][];
  return new Map(listed.map(([day, clicks, version]) => [day, `${clicks} ${version}${day < last ? ' over' : ''}`]));
}

async function remember(rows: readonly (readonly unknown[])[]): Promise<void> {
  await inTransaction((transaction) =>
    withJsonRows(
      { project_id: 'text', day: 'integer', stamp: 'text', content: 'text' },
      rows,
      `INSERT INTO traffic_days (project_id, day, stamp, content) SELECT project_id, day, stamp, content FROM given WHERE true
       ON CONFLICT (project_id, day) DO UPDATE SET stamp = excluded.stamp, content = excluded.content`,
      transaction,
    ),
  );
}
