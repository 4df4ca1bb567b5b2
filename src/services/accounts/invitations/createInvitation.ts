import { authorizeTeam, requireSession } from '../../../access/authorize.ts';
import type { Principal } from '../../../access/principal.ts';
import { recordAudit } from '../../../audit/recordAudit.ts';
import { inTransaction } from '../../../db/inTransaction.ts';
import type { Transaction } from '../../../db/sequelize.ts';
import { inSeconds, now } from '../../../kernel/clock.ts';
import { config } from '../../../kernel/config.ts';
import { CodedError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { randomToken, sha256 } from '../../../kernel/secrets.ts';
import { invitationMail } from '../../../mail/invitationMail.ts';
import { isMailSet, queueMails } from '../../../mail/queueMails.ts';
import { Invitation } from '../../../models/Invitation.ts';
import { Membership, type Role } from '../../../models/Membership.ts';
import type { Team } from '../../../models/Team.ts';
import { User } from '../../../models/User.ts';
import { accountPage } from '../accountPage.ts';
import { lockOwnMembership } from '../members/lockMembers.ts';
import { refuseUnlessManages } from '../members/roleRules.ts';
import { normalEmail } from '../normalEmail.ts';
import { mailedToken } from './pendingInvitation.ts';
import { refuseTooMany } from './refuseTooMany.ts';

interface InvitationInput {
  teamId: string;
  email: string;
  role: Role;
}

/** An invitation in the answer that makes it: its address is shown there and never again. */
export type ShownInvitation = Invitation & { url: string; isMailed: boolean };

/**
 * Invites somebody by mail, and gives the address to hand over where no mail is sent. A former invitation of the same
 * person is void. Throws `not_found`, `insufficient_scope`, `team_read_only`, `conflict` for a member, and
 * `account_limit_reached`.
 */
export async function createInvitation(principal: Principal, input: InvitationInput): Promise<ShownInvitation> {
  const { userId } = requireSession(principal);
  const team = await authorizeTeam(principal, 'projects:write', input.teamId);
  const { role } = input;
  const email = normalEmail(input.email);
  return inTransaction(async (transaction) => {
    const mine = await lockOwnMembership(principal, team.id, transaction);
    refuseUnlessManages(mine.role, role);
    await refuseMember(team, email, transaction);
    await voidFormer(team, email, transaction);
    await refuseTooMany({ team, email, invitedBy: userId }, transaction);
    const { invitation, token } = await insert({ teamId: team.id, email, role, invitedBy: userId }, transaction);
    await mail(team, invitation, accountPage('invitation', mailedToken(token)), transaction);
    const about = { teamId: team.id, projectId: null, subjectId: invitation.id, subjectName: email };
    await recordAudit(transaction, principal, { ...about, action: 'member.invited', details: { role } });
    return Object.assign(invitation, { url: accountPage('invitation', token), isMailed: isMailSet() });
  });
}

async function refuseMember({ id: teamId }: Team, email: string, transaction: Transaction): Promise<void> {
  const user = await User.findOne({ where: { email }, transaction });
  if (!user || (await Membership.count({ where: { teamId, userId: user.id }, transaction })) === 0) return;
  throw new CodedError('conflict', `${email} is a member of this team already.`);
}

async function voidFormer({ id: teamId }: Team, email: string, transaction: Transaction): Promise<void> {
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
  await queueMails(transaction, [invitationMail({ ...facts, address, reference: `invitation:${id}` })]);
}
