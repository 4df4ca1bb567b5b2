import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import type { Domain } from '../models/Domain.ts';
import type { Rival, Surroundings } from './judge.ts';

interface Row {
  id: string;
  kind: Domain['kind'];
  status: Domain['status'];
  by: Rival['by'];
  teamId: string;
  isHeld: boolean | number;
}

/** Who else has a row for the host name, and whether it was another team's. */
export async function surroundingsOf(
  { id, hostname }: { id: string | null; hostname: string },
  teamId: string,
  transaction?: Transaction,
): Promise<Surroundings> {
  const rows = await selectBound<Row>(
    `SELECT domains.id AS "id", kind AS "kind", status AS "status", team_id AS "teamId",
            verified_by AS "by", verified_at IS NOT NULL AS "isHeld"
       FROM domains JOIN projects ON projects.id = domains.project_id WHERE hostname = $1`,
    [hostname],
    transaction,
  );
  const released = await selectBound(
    'SELECT team_id FROM released_domains WHERE hostname = $1 AND team_id <> $2 LIMIT 1',
    [hostname, teamId],
    transaction,
  );
  const rivals = rows
    .filter((row) => row.id !== id)
    .map(
      ({ id: rivalId, kind, status, by, teamId: owner, isHeld }): Rival => ({
        id: rivalId,
        kind,
        by,
        holds: !isHeld ? null : status === 'failing' ? 'failing' : 'verified',
        isSameTeam: owner === teamId,
      }),
    );
  return { rivals, wasOfOthers: released.length > 0 };
}

/** Notes that a team had the name, so that nobody gets it by records that were left behind. */
export async function noteReleased(hostname: string, teamId: string, transaction: Transaction): Promise<void> {
  await selectBound(
    `INSERT INTO released_domains (hostname, team_id, released_at) VALUES ($1, $2, $3)
     ON CONFLICT (hostname, team_id) DO UPDATE SET released_at = $3`,
    [hostname, teamId, sqlTime(clock.now())],
    transaction,
  );
}

/** Its TXT record says whose the name is now: who had it before no longer counts. */
export async function forgetReleased(hostname: string, teamId: string, transaction: Transaction): Promise<void> {
  await selectBound(
    'DELETE FROM released_domains WHERE hostname = $1 AND team_id <> $2',
    [hostname, teamId],
    transaction,
  );
}
