import { deleteOldest } from '../db/deleteOldest.ts';
import { insertInto, sqlTime } from '../db/jsonRows.ts';
import { queryPrepared } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { explainMatch, type MatchReport } from './explainMatch.ts';
import type { Attribution, Opening } from './Opening.ts';

const COLUMNS = { project_id: 'text', install_id: 'text', report: 'json', created_at: 'time' } as const;

/** Stores why installs matched or did not. Each install may occur only once in `openings`. */
export async function writeMatchReports(
  openings: readonly { opening: Opening; attribution: Attribution }[],
  transaction: Transaction,
): Promise<void> {
  await insertInto(
    'match_reports',
    COLUMNS,
    openings.map(({ opening, attribution }) => {
      const { projectId, installId, atMs } = opening;
      return [projectId, installId, JSON.stringify(explainMatch(opening, attribution)), sqlTime(atMs)];
    }),
    {
      transaction,
      onConflict: `ON CONFLICT (project_id, install_id)
        DO UPDATE SET report = excluded.report, created_at = excluded.created_at`,
    },
  );
}

/** The report of an install; null if none was written, or if it has been purged. */
export async function findMatchReport(projectId: string, installId: string): Promise<MatchReport | null> {
  const [row] = await queryPrepared<{ report: string | MatchReport }>(
    'SELECT report FROM match_reports WHERE project_id = $1 AND install_id = $2',
    [projectId, installId],
  );
  return typeof row?.report === 'string' ? JSON.parse(row.report) : (row?.report ?? null);
}

/** Deletes up to `batch` old reports. Returns whether there may be more. */
export async function purgeMatchReports(batch: number): Promise<boolean> {
  const values = [sqlTime(clock.now() - config.matchReportDays * DAY_MS)];
  const old = { table: 'match_reports', where: 'created_at < $1', values, oldestBy: 'created_at' };
  return (await deleteOldest({ ...old, batch })) === batch;
}
