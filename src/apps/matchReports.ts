import { deleteSome } from '../db/deleteSome.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { selectPrepared } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { DAY_MS } from '../kernel/durations.ts';
import { explainMatch, type MatchReport } from './explainMatch.ts';
import type { Found } from './Found.ts';
import type { Opening } from './Opening.ts';

const COLUMNS = { project_id: 'text', install_id: 'text', report: 'json', created_at: 'time' } as const;
const NAMES = Object.keys(COLUMNS).join(', ');

/** Keeps why installs, each another one, matched or did not. */
export async function writeReports(
  openings: readonly { opening: Opening; found: Found }[],
  transaction: Transaction,
): Promise<void> {
  await withJsonRows(
    COLUMNS,
    openings.map(({ opening, found }) => {
      const { projectId, installId, atMs } = opening;
      return [projectId, installId, JSON.stringify(explainMatch(opening, found)), sqlTime(atMs)];
    }),
    `INSERT INTO match_reports (${NAMES}) SELECT ${NAMES} FROM given WHERE true
     ON CONFLICT (project_id, install_id) DO UPDATE SET report = excluded.report, created_at = excluded.created_at`,
    transaction,
  );
}

/** Null: none was written, or it is kept no longer. */
export async function findReport(projectId: string, installId: string): Promise<MatchReport | null> {
  const [row] = await selectPrepared<{ report: string | MatchReport }>(
    'SELECT report FROM match_reports WHERE project_id = $1 AND install_id = $2',
    [projectId, installId],
  );
  return typeof row?.report === 'string' ? JSON.parse(row.report) : (row?.report ?? null);
}

/** Deletes some old reports, and gives whether there may be more. */
export async function purgeReports(batch: number): Promise<boolean> {
  const values = [sqlTime(clock.now() - config.matchReportDays * DAY_MS)];
  const old = { table: 'match_reports', where: 'created_at < $1', values, oldestBy: 'created_at' };
  return (await deleteSome({ ...old, batch })) === batch;
}
