import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { lockMembers, refuseInSurvivalMode } from '../access/authorize.ts';
import { personPrincipal } from '../access/principal.ts';
import { recordAudit } from '../audit/recordAudit.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { now } from '../kernel/clock.ts';
import { CodedError } from '../kernel/errors.ts';
import { macKey, macKeys, sha256 } from '../kernel/secrets.ts';
import { Invitation } from '../models/Invitation.ts';
import { Membership } from '../models/Membership.ts';
import { Team } from '../models/Team.ts';
import type { User } from '../models/User.ts';

const PURPOSE = 'mailed invitations';
/** Characters of 32 bytes in base64url. */
const TOKEN_LENGTH = 43;

/**
 * Accepts an invitation, which makes the person a member of its team. Of two simultaneous calls one succeeds. Throws
 * `invalid_token`, `wrong_account`, `team_read_only`, and `conflict` for a member.
 */
export async function joinTeam(user: User, token: string, transaction: Transaction): Promise<Team> {
  return joinByInvitation(user, await findPendingInvitation(token, transaction), transaction);
}

/** Accepts an invitation that was looked up before. Throws what `joinTeam` throws. */
export async function joinByInvitation(user: User, invitation: Invitation, transaction: Transaction): Promise<Team> {
  const { id, teamId, email, role } = invitation;
  refuseWrongAccount(email, user.email);
  await lockMembers(teamId, transaction);
  const team = await Team.findByPk(teamId, { transaction });
  // Deleted since the invitation was found.
  if (!team) throw invalidInvitation();
  refuseInSurvivalMode(team);
  const [claimed] = await Invitation.update(
    { acceptedAt: now() },
    { where: { id, ...pendingCondition() }, transaction },
  );
  if (claimed === 0) throw invalidInvitation();
  if ((await Membership.count({ where: { teamId, userId: user.id }, transaction })) > 0) {
    throw new CodedError('conflict', 'You are a member of this team already.');
  }
  await Membership.create({ teamId, userId: user.id, role }, { transaction });
  const about = { teamId, projectId: null, subjectId: user.id, subjectName: user.email };
  await recordAudit(transaction, personPrincipal(user.id), { ...about, action: 'member.joined', details: { role } });
  return team;
}

/** Throws `wrong_account` for a person with another e-mail than the invited one: invitations cannot be passed on. */
export function refuseWrongAccount(invited: string, email: string): void {
  if (invited === email) return;
  throw new CodedError('wrong_account', `This invitation is for ${invited}, and your account is ${email}.`);
}

/** The condition of invitations that can be accepted now. */
export function pendingCondition() {
  return { acceptedAt: null, revokedAt: null, expiresAt: { [Op.gt]: now() } };
}

/** The pending invitation of a token, whether it was mailed or handed over. Throws `invalid_token`. */
export async function findPendingInvitation(token: string, transaction?: Transaction): Promise<Invitation> {
  const invitation = await findPendingByHash(hashInvitationToken(token), transaction);
  if (!invitation) throw invalidInvitation();
  return invitation;
}

/** The pending invitation whose token has that hash; null without one, and while its team is deleted. */
export async function findPendingByHash(tokenHash: string, transaction?: Transaction): Promise<Invitation | null> {
  const within = transaction ? { transaction } : {};
  const invitation = await Invitation.findOne({ where: { tokenHash, ...pendingCondition() }, ...within });
  return invitation && (await Team.findByPk(invitation.teamId, within)) ? invitation : null;
}

/**
 * The token as it is mailed, with a proof that only the mail holds: the inviter sees the token too, and must not be able to
 * create a confirmed account for the person they invite.
 */
export function mailedToken(token: string): string {
  return token + proofOf(token, macKey(PURPOSE)).toString('base64url');
}

/** Whether the token came by mail, which proves that the e-mail belongs to its reader. */
export function isFromMail(given: string): boolean {
  const [token, proof] = [given.slice(0, TOKEN_LENGTH), Buffer.from(given.slice(TOKEN_LENGTH), 'base64url')];
  return macKeys(PURPOSE).some((key) => {
    const right = proofOf(token, key);
    return right.length === proof.length && timingSafeEqual(right, proof);
  });
}

/** The hash of a token as it is stored, with or without the proof. */
export function hashInvitationToken(given: string): string {
  return sha256(isFromMail(given) ? given.slice(0, TOKEN_LENGTH) : given);
}

function proofOf(token: string, key: KeyObject): Buffer {
  return createHmac('sha256', key).update(token).digest().subarray(0, 16);
}

export function invalidInvitation(): CodedError {
  return new CodedError(
    'invalid_token',
    'This invitation was used, revoked or replaced, or has expired. Ask for a new one.',
  );
}
