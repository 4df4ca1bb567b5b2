import { query } from '../db/query.ts';

/** SQL: the ids of the operator's teams that are not deleted: the team of the first start, and further teams of its owner. */
export const OPERATOR_TEAMS = 'SELECT id FROM teams WHERE has_no_limits = true AND deletion_at IS NULL';

/**
 * The operator's oldest project, which the first start created. Null when all of the operator's projects are deleted: what is
 * meant for the operator must then not go to whichever tenant came next.
 */
export async function operatorProjectId(): Promise<string | null> {
  const [project] = await query<{ id: string }>(
    `SELECT id FROM projects WHERE team_id IN (${OPERATOR_TEAMS}) AND deletion_at IS NULL ORDER BY created_at, id LIMIT 1`,
  );
  return project?.id ?? null;
}
