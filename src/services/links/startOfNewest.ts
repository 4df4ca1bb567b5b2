import { selectBound } from '../../db/selectBound.ts';

/** When the oldest of the newest `count` links of a project was made; null when there are no more than that. */
export async function startOfNewest(projectId: string, count: number): Promise<Date | null> {
  const [oldest] = await selectBound<{ created_at: Date | string }>(
    `SELECT created_at FROM links WHERE project_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ${count - 1}`,
    [projectId],
  );
  return oldest ? new Date(oldest.created_at) : null;
}
