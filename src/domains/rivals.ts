import { sqlTime } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import type { Domain } from '../models/Domain.ts';
import type { OtherClaims, Rival } from './decideOwnership.ts';

interface Row {
  id: string;
  kind: Domain['kind'];
  status: Domain['status'];
  by: Rival['by'];
  teamId: string;
  isHeld: boolean | number;
}

/** The other domains with this host name, and whether another team had verified it before. */
export async function readOtherClaims(
  { id, hostname }: { id: string | null; hostname: string },
  teamId: string,
  transaction?: Transaction,
): Promise<OtherClaims> {
  const rows = await queryRaw<Row>(
    `SELECT domains.id AS "id", kind AS "kind", status AS "status", team_id AS "teamId",
            verified_by AS "by", verified_at IS NOT NULL AS "isHeld"
       FROM domains JOIN projects ON projects.id = domains.project_id WHERE hostname = $1`,
    [hostname],
    transaction,
  );
  const released = await queryRaw(
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
  return { rivals, wasOtherTeams: released.length > 0 };
}

/** Records that a team had the name, so that another team cannot claim it through leftover DNS records. */
export async function recordRelease(hostname: string, teamId: string, transaction: Transaction): Promise<void> {
  await queryRaw(
    `INSERT INTO released_domains (hostname, team_id, released_at) VALUES ($1, $2, $3)
     ON CONFLICT (hostname, team_id) DO UPDATE SET released_at = $3`,
    [hostname, teamId, sqlTime(clock.now())],
    transaction,
  );
}

/** Forgets the earlier owners of a name: a TXT record has proved who owns it now. */
export async function forgetReleases(hostname: string, teamId: string, transaction: Transaction): Promise<void> {
  await queryRaw('DELETE FROM released_domains WHERE hostname = $1 AND team_id <> $2', [hostname, teamId], transaction);
}
