import type { Principal } from '../access/principal.ts';
import { ROLE_SCOPES } from '../access/scopes.ts';
import { raiseAlert } from '../alerts/raiseAlert.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { config } from '../kernel/config.ts';
import { newId } from '../kernel/ids.ts';
import type { ApiKey } from '../models/ApiKey.ts';
import type { Role } from '../models/Membership.ts';
import { Webhook } from '../models/Webhook.ts';
import { endKeysOfMember, endOfMemberKeys, liveKeysOf, type MemberOfTeam, teamsOfKeysMadeBy } from './keysOfMember.ts';

/** What a person leaves in a team that acts without them: keys, which end, and webhooks, which go on. */
export interface LeftBehind {
  keys: ApiKey[];
  webhooks: Webhook[];
}

/** The most keys, and the most webhooks, that an alert lists. */
const MAX_NAMED = 20;
/** Characters of a URL that a message shows. */
const MAX_URL_LENGTH = 120;

/**
 * Ends the keys of a person who leaves the team, whose membership is locked, at `endsAt`, and finds the webhooks that go on
 * sending events where they said. An alert names both, so that somebody replaces the keys and looks at the webhooks in time.
 */
export async function endAccessOfMember(
  principal: Principal,
  member: MemberOfTeam,
  transaction: Transaction,
  endsAt = endOfMemberKeys(),
): Promise<LeftBehind> {
  const keys = await endKeysOfMember(principal, member, endsAt, transaction);
  const left = { keys, webhooks: await enabledWebhooksOf(member.userId, [member.teamId], transaction) };
  const ended = config.removedMemberKeySeconds === 0;
  const when = ended ? 'have ended' : `end at ${endsAt.toISOString()}`;
  const advice = ended ? '' : ' Replace them wherever they are used, or keep the ones that are still needed.';
  const title =
    keys.length === 0
      ? `Webhooks of ${member.email}, who left the team, still send events`
      : `Keys of ${member.email}, who left the team, ${when}${left.webhooks.length === 0 ? '' : ', and webhooks still send events'}`;
  await alertAbout(member, left, { title, advice }, transaction);
  return left;
}

/** What a person who has left the team left in it, as it is now. */
export async function leftBehindBy(member: MemberOfTeam, transaction: Transaction): Promise<LeftBehind> {
  return {
    keys: await liveKeysOf(member, transaction),
    webhooks: await enabledWebhooksOf(member.userId, [member.teamId], transaction),
  };
}

/**
 * Raises an alert about keys and webhooks that a member made and could not make with their new role: they go on working until
 * somebody ends them.
 */
export async function alertAboutLostScopes(
  member: MemberOfTeam,
  { from, to }: { from: Role; to: Role },
  transaction: Transaction,
): Promise<void> {
  const hasLost = (scope: (typeof ROLE_SCOPES)[Role][number]) =>
    ROLE_SCOPES[from].includes(scope) && !ROLE_SCOPES[to].includes(scope);
  const keys = hasLost('keys:write') ? await liveKeysOf(member, transaction) : [];
  const made = await enabledWebhooksOf(member.userId, [member.teamId], transaction);
  const webhooks = made.filter(
    ({ projectId }) => hasLost('webhooks:write') || (projectId === null && hasLost('projects:write')),
  );
  const what = [keys.length > 0 ? 'keys' : '', webhooks.length > 0 ? 'webhooks' : ''].filter(Boolean).join(' and ');
  const title = `${what[0]?.toUpperCase()}${what.slice(1)} of ${member.email}, who may not create ${what === 'keys' ? 'keys' : 'them'} as ${to}, still work`;
  const advice = ' Revoke or roll the ones that they should no longer have.';
  await alertAbout(member, { keys, webhooks }, { title, advice }, transaction);
}

/** The webhooks of these teams that send events and that the person created or pointed at their URL, with keys of theirs too. */
export async function enabledWebhooksOf(
  userId: string,
  teamIds: readonly string[],
  transaction: Transaction,
): Promise<Webhook[]> {
  const keys = await teamsOfKeysMadeBy(userId, teamIds, transaction);
  const makers = { [Op.in]: [userId, ...keys.keys()] };
  const ofThem = { [Op.or]: [{ createdBy: makers }, { urlSetBy: makers }] };
  const where = { teamId: { [Op.in]: [...teamIds] }, status: 'enabled', ...ofThem };
  return Webhook.findAll({ where, order: [['id', 'ASC']], transaction });
}

/** Raises an alert that names these keys and webhooks; none where there are none. */
async function alertAbout(
  { teamId, userId, email }: MemberOfTeam,
  { keys, webhooks }: LeftBehind,
  { title, advice }: { title: string; advice: string },
  transaction: Transaction,
): Promise<void> {
  if (keys.length + webhooks.length === 0) return;
  const ofKeys = named(keys.map(({ name, lastFour }) => `“${name}” (…${lastFour})`));
  const ofWebhooks = named(webhooks.map(({ url }) => url.slice(0, MAX_URL_LENGTH)));
  const parts = [
    ...(keys.length > 0
      ? [`Secret keys that ${email} created, or that were created with these: ${ofKeys}.${advice}`]
      : []),
    ...(webhooks.length > 0
      ? [
          `Webhooks that ${email} created or pointed at their URL: ${ofWebhooks}. Disable the ones that you do not know.`,
        ]
      : []),
  ];
  await raiseAlert(transaction, {
    teamId,
    projectId: null,
    kind: 'security',
    severity: 'warning',
    title,
    message: parts.join(' '),
    details: {
      user_id: userId,
      keys: keys.map(({ id, projectId, name, lastFour, endsAt }) => ({
        id,
        project_id: projectId,
        name,
        last_four: lastFour,
        expires_at: endsAt?.toISOString() ?? null,
      })),
      webhooks: webhooks.map(({ id, projectId, url }) => ({ id, project_id: projectId, url })),
    },
    incident: `keys_of_member:${newId('alt')}`,
  });
}

function named(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? `, and ${names.length - MAX_NAMED} more` : '';
  return `${names.slice(0, MAX_NAMED).join(', ')}${more}`;
}
