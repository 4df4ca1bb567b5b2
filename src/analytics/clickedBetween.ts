import { select } from '../db/database.ts';

/** When the project's first and last click were, in milliseconds since the epoch; null without any. */
export async function clickedBetween(projectId: string): Promise<{ first: number; last: number } | null> {
  const [row] = await select<{ first_at: string | Date | null; last_at: string | Date | null }>(
    `SELECT (SELECT MIN(occurred_at) FROM clicks WHERE project_id = :projectId) AS first_at,
      (SELECT MAX(occurred_at) FROM clicks WHERE project_id = :projectId) AS last_at`,
    { projectId },
  );
  if (!row?.first_at || !row.last_at) return null;
  return { first: new Date(row.first_at).getTime(), last: new Date(row.last_at).getTime() };
}
