import type { Principal } from '../access/principal.ts';
import { raiseAlert } from '../alerts/raiseAlert.ts';
import { recordAudits } from '../audit/recordAudit.ts';
import { announce } from '../db/announce.ts';
import { inList, inListValue } from '../db/dialects.ts';
import { queryRaw } from '../db/query.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { inSeconds, now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { newId } from '../kernel/ids.ts';
import { ApiKey } from '../models/ApiKey.ts';
import type { Role } from '../models/Membership.ts';
import { auditSubjectOfKey } from './keyService.ts';

interface Member {
  teamId: string;
  userId: string;
  email: string;
}

/** The most keys that an alert lists. */
const MAX_NAMED = 20;

/** When the secret keys of a member end who leaves now. */
export function endOfMemberKeys(): Date {
  return inSeconds(config.removedMemberKeySeconds);
}

/**
 * Ends the keys of a person who leaves the team, whose membership is locked: the secret keys that they created, and those
 * that were created with these, end at `endsAt`, after REMOVED_MEMBER_KEY_SECONDS. Returns those keys. An alert names them,
 * so that they can be replaced in time.
 */
export async function endKeysOfMember(
  principal: Principal,
  member: Member,
  transaction: Transaction,
  endsAt = endOfMemberKeys(),
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
  const when = grace === 0 ? 'have ended' : `end at ${endsAt.toISOString()}`;
  const advice = grace === 0 ? '' : ' Replace them wherever they are used, or keep the ones that are still needed.';
  await raiseKeyAlert(
    member,
    keys,
    { title: `Keys of ${member.email}, who left the team, ${when}`, advice },
    transaction,
  );
  return keys;
}

/**
 * Keeps the keys of a person who is a member again: those that `endKeysOfMember` gave this end and that have not ended yet,
 * and those that were made with one of them since. What somebody else keeps by now is theirs.
 */
export async function keepKeysOfMember(
  principal: Principal,
  member: Member,
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

/** Raises an alert about the keys of a person whose new role may create none: the keys go on working until somebody ends them. */
export async function alertAboutKeysOfMember(member: Member, role: Role, transaction: Transaction): Promise<void> {
  const keys = await liveKeysOf(member, transaction);
  const title = `Keys of ${member.email}, who may not create keys as ${role}, still work`;
  const advice = ' Revoke or roll the ones that they should no longer have.';
  if (keys.length > 0) await raiseKeyAlert(member, keys, { title, advice }, transaction);
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
async function liveKeysOf({ teamId, userId }: Member, transaction: Transaction): Promise<ApiKey[]> {
  return liveKeys([...(await teamsOfKeysMadeBy(userId, [teamId], transaction)).keys()], transaction);
}

async function liveKeys(ids: readonly string[], transaction: Transaction): Promise<ApiKey[]> {
  const isFuture = { [Op.or]: [{ [Op.is]: null }, { [Op.gt]: now() }] };
  const where = { id: { [Op.in]: ids }, kind: 'secret', revokedAt: null, expiresAt: isFuture };
  return ApiKey.findAll({ where, order: [['id', 'ASC']], transaction });
}

/** The keys that the person created in these teams, directly or with another of their keys, by id; each with its team. */
async function teamsOfKeysMadeBy(
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

async function raiseKeyAlert(
  { teamId, userId, email }: Member,
  keys: ApiKey[],
  { title, advice }: { title: string; advice: string },
  transaction: Transaction,
): Promise<void> {
  const named = keys.slice(0, MAX_NAMED).map(({ name, lastFour }) => `“${name}” (…${lastFour})`);
  const more = keys.length > MAX_NAMED ? `, and ${keys.length - MAX_NAMED} more` : '';
  await raiseAlert(transaction, {
    teamId,
    projectId: null,
    kind: 'security',
    severity: 'warning',
    title,
    message: `Secret keys that ${email} created, or that were created with these: ${named.join(', ')}${more}.${advice}`,
    details: {
      user_id: userId,
      keys: keys.map(({ id, projectId, name, lastFour, endsAt }) => ({
        id,
        project_id: projectId,
        name,
        last_four: lastFour,
        expires_at: endsAt?.toISOString() ?? null,
      })),
    },
    incident: `keys_of_member:${newId('alt')}`,
  });
}
