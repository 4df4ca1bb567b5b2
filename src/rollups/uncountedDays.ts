import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';

/** A day of a project; UTC, since the epoch. */
export interface ProjectDay {
  projectId: string;
  day: number;
}

/** The day's totals are missing from now on: whoever is killed before they are written leaves this behind. */
export async function noteUncounted(projectId: string, day: number, transaction: Transaction): Promise<void> {
  await selectBound(
    'INSERT INTO click_uncounted (project_id, day) VALUES ($1, $2) ON CONFLICT (project_id, day) DO NOTHING',
    [projectId, day],
    transaction,
  );
}

/** The day has its totals, or nothing that could be counted. */
export async function noteCounted(projectId: string, day: number, transaction?: Transaction): Promise<void> {
  await selectBound('DELETE FROM click_uncounted WHERE project_id = $1 AND day = $2', [projectId, day], transaction);
}

/** Days before `day` whose totals are missing. */
export async function uncountedBefore(day: number): Promise<ProjectDay[]> {
  const rows = await selectBound<{ project_id: string; day: number }>(
    'SELECT project_id, day FROM click_uncounted WHERE day < $1 ORDER BY day, project_id',
    [day],
  );
  return rows.map(({ project_id, day: uncounted }) => ({ projectId: project_id, day: uncounted }));
}
