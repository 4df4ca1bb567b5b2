import { QUARTERS_A_DAY } from '../clicks/periods.ts';
import { among, amongValue } from '../db/among.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { selectBound } from '../db/selectBound.ts';
import { passHours, type Watch } from './claimWatches.ts';
import { LEAST_EXPECTED } from './thresholds.ts';

const QUARTERS_AN_HOUR = 4;

/** Passes the hours of projects that have had too little traffic to judge and still have; gives the others. */
export async function passThin(watches: readonly Watch[], dueHour: number): Promise<Watch[]> {
  const thin = watches.filter(({ isThin }) => isThin);
  if (thin.length === 0) return [...watches];
  const from = Math.min(...thin.map(({ fromHour }) => fromHour)) * QUARTERS_AN_HOUR;
  const rows = await selectBound<{ project_id: string; clicks: number }>(
    `SELECT project_id, CAST(SUM(clicks) AS BIGINT) AS clicks FROM (
       SELECT project_id, clicks FROM click_backlog
       WHERE ${among('project_id', '$1')} AND quarter >= $2 AND quarter < $3
       UNION ALL
       SELECT project_id, clicks FROM click_blocks
       WHERE ${among('project_id', '$1')} AND from_quarter > $4 AND from_quarter < $3 AND to_quarter > $2
     ) AS stock GROUP BY project_id`,
    [amongValue(thin.map(({ projectId }) => projectId)), from, dueHour * QUARTERS_AN_HOUR, from - QUARTERS_A_DAY],
  );
  const busy = new Set(rows.filter(({ clicks }) => clicks >= LEAST_EXPECTED).map(({ project_id }) => project_id));
  const idle = thin.filter(({ projectId }) => !busy.has(projectId));
  if (idle.length > 0)
    await inTransaction(async (transaction) => {
      for (const watch of idle) await passHours(watch, dueHour, true, transaction);
    });
  return watches.filter((watch) => !idle.includes(watch));
}
