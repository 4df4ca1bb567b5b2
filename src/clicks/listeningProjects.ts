import { select } from '../db/database.ts';
import type { Transaction } from '../db/sequelize.ts';

/** JSON lists of event types that hold what is asked for, as text. */
const WANTS_CLICKS = `w.status = 'enabled' AND w.deleted_at IS NULL
  AND (CAST(w.event_types AS TEXT) LIKE '%"link.clicked"%' OR CAST(w.event_types AS TEXT) LIKE '%"*"%')`;

/** Ids of the projects with an enabled webhook that wants link.clicked; a team-wide one listens to all of its team's. */
export async function listeningProjects(transaction?: Transaction): Promise<Set<string>> {
  const rows = await select<{ id: string }>(
    `SELECT w.project_id AS id FROM webhooks w WHERE w.project_id IS NOT NULL AND ${WANTS_CLICKS}
     UNION
     SELECT p.id FROM webhooks w JOIN projects p ON p.team_id = w.team_id WHERE w.project_id IS NULL AND ${WANTS_CLICKS}`,
    {},
    transaction,
  );
  return new Set(rows.map(({ id }) => id));
}
