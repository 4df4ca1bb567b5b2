import { sqlTime } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock } from '../kernel/clock.ts';

/** How long clicks are awaited after a stream was last seen: its client may come back. */
const AWAITED_MS = 10 * 60_000;

/** Searches the JSON list of event types as text. */
const WANTS_CLICKS = `w.status = 'enabled' AND w.deleted_at IS NULL
  AND (CAST(w.event_types AS TEXT) LIKE '%"link.clicked"%' OR CAST(w.event_types AS TEXT) LIKE '%"*"%')`;

/**
 * Ids of the projects whose clicks become events: those with an enabled webhook that wants link.clicked, where a team-wide one
 * covers all projects of its team, and those with a stream of events.
 */
export async function listeningProjects(transaction?: Transaction): Promise<Set<string>> {
  const rows = await queryRaw<{ id: string }>(
    `SELECT w.project_id AS id FROM webhooks w WHERE w.project_id IS NOT NULL AND ${WANTS_CLICKS}
     UNION
     SELECT p.id FROM webhooks w JOIN projects p ON p.team_id = w.team_id WHERE w.project_id IS NULL AND ${WANTS_CLICKS}
     UNION
     SELECT project_id AS id FROM awaited_clicks WHERE awaited_until > $1`,
    [sqlTime(clock.now())],
    transaction,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Has the clicks of a project become events for the next ten minutes, in every process. */
export async function awaitClicks(projectId: string): Promise<void> {
  await inTransaction((transaction) =>
    queryRaw(
      `INSERT INTO awaited_clicks (project_id, awaited_until) VALUES ($1, $2)
       ON CONFLICT (project_id) DO UPDATE SET awaited_until = excluded.awaited_until`,
      [projectId, sqlTime(clock.now() + AWAITED_MS)],
      transaction,
    ),
  );
}
