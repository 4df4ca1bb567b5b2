import { sqlTime } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import type { Domain } from '../models/Domain.ts';
import type { OtherClaims, Rival } from './decideOwnership.ts';

interface Row {
  id: string;
  kind: Domain['kind'];
  status: Domain['status'];
  by: Rival['by'];
  teamId: string;
  isHeld: boolean | number;
  checkedAt: string | Date | null;
  /** Its project is deleted and may be restored. */
  isDeleted: boolean | number;
}

/** The other domains with this host name, and whether another team had verified it before. */
export async function readOtherClaims(
  { id, hostname }: { id: string | null; hostname: string },
  teamId: string,
  transaction?: Transaction,
): Promise<OtherClaims> {
  const rows = await queryRaw<Row>(
    `SELECT domains.id AS "id", kind AS "kind", status AS "status", team_id AS "teamId",
            verified_by AS "by", verified_at IS NOT NULL AS "isHeld", checked_at AS "checkedAt",
            deletion_at IS NOT NULL AS "isDeleted"
       FROM domains JOIN projects ON projects.id = domains.project_id WHERE hostname = $1`,
    [hostname],
    transaction,
  );
  const released = await queryRaw(
    'SELECT team_id FROM released_domains WHERE hostname = $1 AND team_id <> $2 LIMIT 1',
    [hostname, teamId],
    transaction,
  );
  const rivals = rows.filter((row) => row.id !== id).map(rivalFor(teamId));
  return { rivals, wasOtherTeams: released.length > 0 };
}

function rivalFor(teamId: string) {
  return ({ id, kind, status, by, teamId: owner, isHeld, checkedAt, isDeleted }: Row): Rival => {
    const fails = status === 'failing' || (Boolean(isDeleted) && isLookOutdated(checkedAt));
    return { id, kind, by, holds: !isHeld ? null : fails ? 'failing' : 'verified', isSameTeam: owner === teamId };
  };
}

/**
 * Domains of deleted projects are not checked, so that the last look protects the name until then: for as long as one
 * deletion lasts. Otherwise a project that is restored and deleted again and again would keep a name without its record.
 */
function isLookOutdated(checkedAt: string | Date | null): boolean {
  const keptMs = config.domainRecheckSeconds * 1000 + (config.deletionDays + 1) * DAY_MS;
  return checkedAt === null || new Date(checkedAt).getTime() < clock.now() - keptMs;
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
