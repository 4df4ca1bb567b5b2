import type { Principal } from '../access/principal.ts';
import { recordAudits } from '../audit/recordAudit.ts';
import { announce } from '../db/announce.ts';
import { inList, inListValue } from '../db/dialects.ts';
import { queryRaw } from '../db/query.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { inSeconds, now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { ApiKey } from '../models/ApiKey.ts';
import { auditSubjectOfKey } from './keyService.ts';

/** A person who is, or was, in a team. */
export interface MemberOfTeam {
  teamId: string;
  userId: string;
  email: string;
}

/** When the secret keys of a member end who leaves now. */
export function endOfMemberKeys(): Date {
  return inSeconds(config.removedMemberKeySeconds);
}

/**
 * Ends the keys of a person who leaves the team, whose membership is locked: the secret keys that they created, and those
 * that were created with these, end at `endsAt`, after REMOVED_MEMBER_KEY_SECONDS. Returns those keys.
 */
export async function endKeysOfMember(
  principal: Principal,
  member: MemberOfTeam,
  endsAt: Date,
  transaction: Transaction,
): Promise<ApiKey[]> {
  const keys = await liveKeysOf(member, transaction);
  if (keys.length === 0) return [];
  const grace = config.removedMemberKeySeconds;
  const end = grace === 0 ? { revokedAt: endsAt } : { revokeAt: endsAt };
  for (const key of keys) {
    if (!key.revokeAt || key.revokeAt > endsAt) await key.update(end, { transaction });
  }
  await announce(transaction, 'key', ...keys.map(({ hash }) => hash));
  const action = grace === 0 ? 'key.revoked' : 'key.revocation_planned';
  const entries = keys.map(
    (key) => ({ ...auditSubjectOfKey(key, member), action, details: { member: member.email } }) as const,
  );
  await recordAudits(
    transaction,
    entries.map((entry) => ({ ...entry, actor: principal })),
  );
  return keys;
}

/**
 * Keeps the keys of a person who is a member again: those that `endKeysOfMember` gave this end and that have not ended yet,
 * and those that were made with one of them since. What somebody else keeps by now is theirs.
 */
export async function keepKeysOfMember(
  principal: Principal,
  member: MemberOfTeam,
  endsAt: Date,
  transaction: Transaction,
): Promise<void> {
  const keys = (await liveKeysOf(member, transaction)).filter(
    ({ revokeAt }) => revokeAt?.getTime() === endsAt.getTime(),
  );
  if (keys.length === 0 || endsAt <= now()) return;
  for (const key of keys) await key.update({ revokeAt: null }, { transaction });
  await announce(transaction, 'key', ...keys.map(({ hash }) => hash));
  const entries = keys.map(
    (key) => ({ ...auditSubjectOfKey(key, member), action: 'key.kept', actor: principal }) as const,
  );
  await recordAudits(transaction, entries);
}

/** How many secret keys of each team would end with the membership of the person, by the ids of teams; missing: none. */
export async function countKeysOfMember(
  userId: string,
  teamIds: readonly string[],
  transaction: Transaction,
): Promise<Map<string, number>> {
  const teams = await teamsOfKeysMadeBy(userId, teamIds, transaction);
  const live = await liveKeys([...teams.keys()], transaction);
  return new Map([...Map.groupBy(live, ({ id }) => teams.get(id) as string)].map(([id, keys]) => [id, keys.length]));
}

/** The team's secret keys that have not ended and that the person created, directly or with another of their keys. */
export async function liveKeysOf({ teamId, userId }: MemberOfTeam, transaction: Transaction): Promise<ApiKey[]> {
  return liveKeys([...(await teamsOfKeysMadeBy(userId, [teamId], transaction)).keys()], transaction);
}

async function liveKeys(ids: readonly string[], transaction: Transaction): Promise<ApiKey[]> {
  const isFuture = { [Op.or]: [{ [Op.is]: null }, { [Op.gt]: now() }] };
  const where = { id: { [Op.in]: ids }, kind: 'secret', revokedAt: null, expiresAt: isFuture };
  return ApiKey.findAll({ where, order: [['id', 'ASC']], transaction });
}

/** The keys that the person created in these teams, directly or with another of their keys, by id; each with its team. */
export async function teamsOfKeysMadeBy(
  userId: string,
  teamIds: readonly string[],
  transaction: Transaction,
): Promise<Map<string, string>> {
  const made = await queryRaw<{ id: string; teamId: string }>(
    `WITH RECURSIVE team_keys AS (SELECT api_keys.id, api_keys.created_by, projects.team_id FROM api_keys
         JOIN projects ON projects.id = api_keys.project_id WHERE ${inList('projects.team_id', '$1')}),
       made AS (SELECT id, team_id FROM team_keys WHERE created_by = $2
         UNION SELECT team_keys.id, team_keys.team_id FROM team_keys JOIN made ON team_keys.created_by = made.id)
     SELECT id, team_id AS "teamId" FROM made`,
    [inListValue(teamIds), userId],
    transaction,
  );
  return new Map(made.map(({ id, teamId }) => [id, teamId]));
}
