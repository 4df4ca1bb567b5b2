import type { Principal } from '../../access/principal.ts';
import { ROLE_SCOPES } from '../../access/scopes.ts';
import { raiseAlert } from '../../alerts/raiseAlert.ts';
import { recordAudits } from '../../audit/recordAudit.ts';
import { announce } from '../../db/announce.ts';
import { selectBound } from '../../db/selectBound.ts';
import { Op, type Transaction } from '../../db/sequelize.ts';
import { inSeconds, now } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { CodedError, notFound } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { ApiKey } from '../../models/ApiKey.ts';
import { Membership, type Role } from '../../models/Membership.ts';
import { lockMembers } from '../accounts/members/lockMembers.ts';
import { aboutKey } from './aboutKey.ts';

interface Member {
  teamId: string;
  userId: string;
  email: string;
}

/** More names than that are not read. */
const MOST_NAMED = 20;

/**
 * The person leaves the team, whose members are locked: the secret keys that they made, and those that were made with
 * these, end after REMOVED_MEMBER_KEY_SECONDS. Gives those keys. An alert names them, so that servers that use one get
 * another in time.
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
  const entries = keys.map((key) => ({ ...aboutKey(key, member), action, details: { member: member.email } }) as const);
  await recordAudits(
    transaction,
    entries.map((entry) => ({ ...entry, actor: principal })),
  );
  const when = grace === 0 ? 'have ended' : `end at ${inSeconds(grace).toISOString()}`;
  const advice = grace === 0 ? '' : ' Replace them where they are used, or keep those that shall go on.';
  await alertOf(member, keys, { title: `Keys of ${member.email}, who left the team, ${when}`, advice }, transaction);
  return keys;
}

/** The person stays in a role that makes no keys: theirs go on, and an alert names them for somebody to decide. */
export async function warnOfKeysOfMember(member: Member, role: Role, transaction: Transaction): Promise<void> {
  const keys = await liveKeysOf(member, transaction);
  const title = `Keys of ${member.email}, who may make none as ${role}, go on working`;
  const advice = ' Revoke or roll those that they should not have any more.';
  if (keys.length > 0) await alertOf(member, keys, { title, advice }, transaction);
}

/**
 * Who makes a key in a team, asked in the transaction that makes it: whoever was removed meanwhile makes none, and what is
 * made with a key that ends soon ends with it. Throws `not_found`, `insufficient_scope`, `invalid_key`.
 */
export async function makerOfKey(
  principal: Principal,
  teamId: string,
  transaction: Transaction,
): Promise<{ createdBy: string | null; revokeAt: Date | null }> {
  await lockMembers(teamId, transaction);
  if (principal.kind === 'session') {
    const { userId } = principal;
    const membership = await Membership.findOne({ where: { teamId, userId }, transaction });
    if (!membership) throw notFound('project');
    if (ROLE_SCOPES[membership.role].includes('keys:write')) return { createdBy: userId, revokeAt: null };
    const message = `This needs keys:write, which the role ${membership.role} does not have.`;
    throw new CodedError('insufficient_scope', message);
  }
  if (principal.kind !== 'key') return { createdBy: null, revokeAt: null };
  const maker = await ApiKey.findOne({ where: { id: principal.keyId, revokedAt: null }, transaction });
  if (!maker) throw new CodedError('invalid_key', 'The key is unknown, revoked or expired.');
  return { createdBy: maker.id, revokeAt: maker.revokeAt };
}

/** Secret keys of the team that have not ended, and that the person made, directly or with keys of theirs. */
async function liveKeysOf({ teamId, userId }: Member, transaction: Transaction): Promise<ApiKey[]> {
  const made = await selectBound<{ id: string }>(
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

async function alertOf(
  { teamId, userId, email }: Member,
  keys: ApiKey[],
  { title, advice }: { title: string; advice: string },
  transaction: Transaction,
): Promise<void> {
  const named = keys.slice(0, MOST_NAMED).map(({ name, lastFour }) => `“${name}” (…${lastFour})`);
  const more = keys.length > MOST_NAMED ? `, and ${keys.length - MOST_NAMED} more` : '';
  await raiseAlert(transaction, {
    teamId,
    projectId: null,
    kind: 'security',
    severity: 'warning',
    title,
    message: `Secret keys that ${email} made, or that were made with these: ${named.join(', ')}${more}.${advice}`,
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
