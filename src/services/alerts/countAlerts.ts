import type { Principal } from '../../access/principal.ts';
import { selectBound } from '../../db/selectBound.ts';
import type { Alert } from '../../models/Alert.ts';
import { type AlertOwner, ownerOf } from './ownerOf.ts';

export type AlertCounts = Record<Alert['severity'], number>;

/** How many alerts of a project, or of a team, nobody has seen and are not over, by severity. */
export async function countAlerts(principal: Principal, asked: AlertOwner): Promise<AlertCounts> {
  const owner = await ownerOf(principal, asked);
  const [column, id] = 'projectId' in owner ? ['project_id', owner.projectId] : ['team_id', owner.teamId];
  const rows = await selectBound<{ severity: Alert['severity']; count: number }>(
    `SELECT severity, COUNT(*) AS count FROM alerts
     WHERE ${column} = $1 AND resolved_at IS NULL AND acknowledged_at IS NULL GROUP BY severity`,
    [id],
  );
  const counts: AlertCounts = { info: 0, warning: 0, critical: 0 };
  for (const { severity, count } of rows) counts[severity] = Number(count);
  return counts;
}
