import { authorizeTeam, requireSession } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { recordAudit } from '../audit/recordAudit.ts';
import { findPage, type Page, type PageRequest } from '../db/paging.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { inSeconds, now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { CodedError, notFound } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { randomToken, sha256 } from '../kernel/secrets.ts';
import { isMailConfigured, queueMails, writeMail } from '../mail/mailQueue.ts';
import { Invitation } from '../models/Invitation.ts';
import { Membership, type Role } from '../models/Membership.ts';
import { Team } from '../models/Team.ts';
import { User } from '../models/User.ts';
import { accountPage } from './accountPage.ts';
import { refuseTooManyInvitations } from './invitationLimits.ts';
import { lockOwnMembership, refuseUnlessManages } from './memberships.ts';
import { findPendingInvitation, invalidInvitation, joinTeam, mailedToken } from './pendingInvitations.ts';
import { lockPresentUser, normalizeEmail } from './userStore.ts';

interface InvitationInput {
  teamId: string;
  email: string;
  role: Role;
}

/** What the holder of an invitation's token is shown. */
export interface OfferedRole {
  teamName: string;
  email: string;
  role: Role;
  expiresAt: Date;
}

/** A new invitation with its URL, which is shown only when it is created. */
export type ShownInvitation = Invitation & { url: string; isMailed: boolean };

/**
 * Invites somebody by mail, and returns the URL to hand over where no mail is sent. An earlier invitation of the same person
 * becomes invalid. Throws `not_found`, `insufficient_scope`, `team_read_only`, `conflict` for a member, and
 * `account_limit_reached`.
 */
export async function createInvitation(principal: Principal, input: InvitationInput): Promise<ShownInvitation> {
  const { userId } = requireSession(principal);
  const team = await authorizeTeam(principal, 'projects:write', input.teamId);
  const { role } = input;
  const email = normalizeEmail(input.email);
  return inTransaction(async (transaction) => {
    const mine = await lockOwnMembership(principal, team.id, transaction);
    refuseUnlessManages(mine.role, role);
    await refuseMember(team, email, transaction);
    await revokeEarlier(team, email, transaction);
    await refuseTooManyInvitations({ team, email, invitedBy: userId }, transaction);
    const { invitation, token } = await insert({ teamId: team.id, email, role, invitedBy: userId }, transaction);
    await mail(team, invitation, accountPage('invitation', mailedToken(token)), transaction);
    const about = { teamId: team.id, projectId: null, subjectId: invitation.id, subjectName: email };
    await recordAudit(transaction, principal, { ...about, action: 'member.invited', details: { role } });
    return Object.assign(invitation, { url: accountPage('invitation', token), isMailed: isMailConfigured() });
  });
}

/** The role and team that a token offers. Throws `invalid_token`. */
export async function readInvitation(token: string): Promise<OfferedRole> {
  const { teamId, email, role, expiresAt } = await findPendingInvitation(token);
  const team = await Team.findByPk(teamId);
  if (!team) throw invalidInvitation();
  return { teamName: team.name, email, role, expiresAt };
}

/** The invitations of a team that were neither accepted nor revoked, newest first; for every member. */
export async function listInvitations(
  principal: Principal,
  teamId: string,
  request: PageRequest,
): Promise<Page<Invitation>> {
  requireSession(principal);
  await authorizeTeam(principal, 'projects:read', teamId);
  const where = { teamId, acceptedAt: null, revokedAt: null };
  const order = { attribute: 'createdAt', direction: 'DESC' } as const;
  return findPage(Invitation, where, request, ['invitations', teamId], order);
}

/** Makes the signed-in person a member of the team that a token invites them to. Throws what `joinTeam` throws. */
export async function acceptInvitation(principal: Principal, token: string): Promise<Team> {
  const { userId } = requireSession(principal);
  return inTransaction(async (transaction) => joinTeam(await lockPresentUser(userId, transaction), token, transaction));
}

/** Revokes an invitation. Throws `not_found`, also for one that was accepted, `insufficient_scope`, `team_read_only`. */
export async function revokeInvitation(principal: Principal, id: string): Promise<void> {
  const { roles } = requireSession(principal);
  const found = await Invitation.findByPk(id);
  if (!found || !roles.has(found.teamId)) throw notFound('invitation');
  const { teamId, email, role } = found;
  await authorizeTeam(principal, 'projects:write', teamId);
  await inTransaction(async (transaction) => {
    const mine = await lockOwnMembership(principal, teamId, transaction);
    refuseUnlessManages(mine.role, role);
    const where = { id, acceptedAt: null, revokedAt: null };
    const [revoked] = await Invitation.update({ revokedAt: now() }, { where, transaction });
    if (revoked === 0) throw notFound('invitation');
    const about = { teamId, projectId: null, subjectId: id, subjectName: email, details: { role } };
    await recordAudit(transaction, principal, { ...about, action: 'member.invitation_revoked' });
  });
}

async function refuseMember({ id: teamId }: Team, email: string, transaction: Transaction): Promise<void> {
  const user = await User.findOne({ where: { email }, transaction });
  if (!user || (await Membership.count({ where: { teamId, userId: user.id }, transaction })) === 0) return;
  throw new CodedError('conflict', `${email} is a member of this team already.`);
}

async function revokeEarlier({ id: teamId }: Team, email: string, transaction: Transaction): Promise<void> {
  const where = { teamId, email, acceptedAt: null, revokedAt: null };
  await Invitation.update({ revokedAt: now() }, { where, transaction });
}

async function insert(
  row: { teamId: string; email: string; role: Role; invitedBy: string },
  transaction: Transaction,
): Promise<{ invitation: Invitation; token: string }> {
  const token = randomToken(32);
  const expiresAt = inSeconds(config.invitationSeconds);
  const invitation = await Invitation.create(
    { ...row, id: newId('inv'), tokenHash: sha256(token), expiresAt, createdAt: now() },
    { transaction },
  );
  return { invitation, token };
}

async function mail(team: Team, invitation: Invitation, url: string, transaction: Transaction): Promise<void> {
  const inviter = await User.findByPk(invitation.invitedBy as string, { transaction, rejectOnEmpty: true });
  const { id, email: address, role, expiresAt } = invitation;
  const facts = { teamName: team.name, inviterEmail: inviter.email, role, url, expiresAt };
  await queueMails(transaction, [writeMail('invitation', { address, reference: `invitation:${id}` }, facts)]);
}
