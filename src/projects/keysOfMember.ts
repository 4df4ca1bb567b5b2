import type { Principal } from '../access/principal.ts';
import { raiseAlert } from '../alerts/raiseAlert.ts';
import { recordAudits } from '../audit/recordAudit.ts';
import { announce } from '../db/announce.ts';
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

/**
 * Ends the keys of a person who leaves the team, whose membership is locked: the secret keys that they created, and those
 * that were created with these, end after REMOVED_MEMBER_KEY_SECONDS. Returns those keys. An alert names them, so that
 * they can be replaced in time.
 */
export async function endKeysOfMember(
  principal: Principal,
  member: Member,
  transaction: Transaction,
): Promise<ApiKey[]> {
  const keys = await liveKeysOf(member, transaction);
  if (keys.length === 0) return [];
  const grace = config.removedMemberKeySeconds;
  const end = grace === 0 ? { revokedAt: now() } : { revokeAt: inSeconds(grace) };
  for (const key of keys) {
    if (!key.revokeAt || key.revokeAt > inSeconds(grace)) await key.update(end, { transaction });
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
  const when = grace === 0 ? 'have ended' : `end at ${inSeconds(grace).toISOString()}`;
  const advice = grace === 0 ? '' : ' Replace them wherever they are used, or keep the ones that are still needed.';
  await raiseKeyAlert(
    member,
    keys,
    { title: `Keys of ${member.email}, who left the team, ${when}`, advice },
    transaction,
  );
  return keys;
}

/** Raises an alert about the keys of a person whose new role may create none: the keys go on working until somebody ends them. */
export async function alertAboutKeysOfMember(member: Member, role: Role, transaction: Transaction): Promise<void> {
  const keys = await liveKeysOf(member, transaction);
  const title = `Keys of ${member.email}, who may not create keys as ${role}, still work`;
  const advice = ' Revoke or roll the ones that they should no longer have.';
  if (keys.length > 0) await raiseKeyAlert(member, keys, { title, advice }, transaction);
}

/** The team's secret keys that have not ended and that the person created, directly or with another of their keys. */
async function liveKeysOf({ teamId, userId }: Member, transaction: Transaction): Promise<ApiKey[]> {
  const made = await queryRaw<{ id: string }>(
    `WITH RECURSIVE team_keys AS (SELECT api_keys.id, api_keys.created_by FROM api_keys
         JOIN projects ON projects.id = api_keys.project_id WHERE projects.team_id = $1),
       made AS (SELECT id FROM team_keys WHERE created_by = $2
         UNION SELECT team_keys.id FROM team_keys JOIN made ON team_keys.created_by = made.id)
     SELECT id FROM made`,
    [teamId, userId],
    transaction,
  );
  const isLive = { revokedAt: null, expiresAt: { [Op.or]: [{ [Op.is]: null }, { [Op.gt]: now() }] } };
  const where = { id: { [Op.in]: made.map(({ id }) => id) }, kind: 'secret', ...isLive };
  return ApiKey.findAll({ where, order: [['id', 'ASC']], transaction });
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
