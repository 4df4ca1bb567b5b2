import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { CodedError } from '../kernel/errors.ts';
import type { Role } from '../models/Membership.ts';
import { countKeysOfMember } from '../projects/keysOfMember.ts';
import { enabledWebhooksOf } from '../projects/leftBehind.ts';

/** What a person has in a team, and what would become of it if they deleted their account. */
export interface AccountTeam {
  id: string;
  name: string;
  role: Role;
  /** Whether nobody else owns the team. */
  isSoleOwner: boolean;
  /** Whether the team has no other member, so that it would be deleted with the account. */
  isOnlyMember: boolean;
  /** Secret keys that would end with the membership. */
  keys: number;
  /** Webhooks that the person made and that would go on. */
  webhooks: number;
}

/** The most teams that a message names. */
const MAX_NAMED = 10;

/** The teams of a person, newest first. */
export async function teamsOfAccount(userId: string, transaction: Transaction): Promise<AccountTeam[]> {
  const rows = await queryRaw<{ id: string; name: string; role: Role; members: number; owners: number }>(
    `SELECT teams.id, teams.name, mine.role,
       (SELECT CAST(COUNT(*) AS INTEGER) FROM memberships WHERE team_id = teams.id) AS members,
       (SELECT CAST(COUNT(*) AS INTEGER) FROM memberships WHERE team_id = teams.id AND role = 'owner') AS owners
     FROM memberships AS mine JOIN teams ON teams.id = mine.team_id
     WHERE mine.user_id = $1 AND teams.deletion_at IS NULL ORDER BY teams.created_at DESC, teams.id DESC`,
    [userId],
    transaction,
  );
  const ids = rows.map(({ id }) => id);
  const keys = await countKeysOfMember(userId, ids, transaction);
  const webhooks = Map.groupBy(await enabledWebhooksOf(userId, ids, transaction), ({ teamId }) => teamId);
  return rows.map(({ members, owners, ...team }) => ({
    ...team,
    isSoleOwner: team.role === 'owner' && owners === 1,
    isOnlyMember: members === 1,
    keys: keys.get(team.id) ?? 0,
    webhooks: webhooks.get(team.id)?.length ?? 0,
  }));
}

/** Throws `conflict`, naming the teams that would be left to other members without an owner. */
export function refuseOwnerless(teams: readonly AccountTeam[]): void {
  const ownerless = teams.filter(({ isSoleOwner, isOnlyMember }) => isSoleOwner && !isOnlyMember);
  if (ownerless.length === 0) return;
  const what = ownerless.length === 1 ? 'the team' : 'the teams';
  throw new CodedError(
    'conflict',
    `You are the only owner of ${what} ${namesOf(ownerless)}. Make somebody else the owner, or delete the team first.`,
  );
}

function namesOf(teams: readonly AccountTeam[]): string {
  const named = teams.slice(0, MAX_NAMED).map(({ name }) => `“${name}”`);
  const more = teams.length > MAX_NAMED ? [`${teams.length - MAX_NAMED} more`] : [];
  return new Intl.ListFormat('en').format([...named, ...more]);
}
