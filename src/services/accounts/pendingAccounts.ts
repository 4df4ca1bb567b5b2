import { type Transaction, UniqueConstraintError } from '../../db/sequelize.ts';
import { inSeconds, now } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { CodedError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { randomToken, sha256 } from '../../kernel/secrets.ts';
import { queueMails } from '../../mail/queueMails.ts';
import { confirmationMail, knownAccountMail } from '../../mail/signUpMails.ts';
import { EmailConfirmation } from '../../models/EmailConfirmation.ts';
import { PasswordReset } from '../../models/PasswordReset.ts';
import { User } from '../../models/User.ts';
import { foundTeam } from '../projects/foundTeam.ts';
import { accountPage } from './accountPage.ts';
import { joinByInvitation } from './invitations/joinTeam.ts';
import { findInvitation } from './invitations/pendingInvitation.ts';
import { signUpPolicy } from './signUpPolicy.ts';

/** What an account is made with. */
export interface NewAccount {
  email: string;
  passwordHash: string;
  /** The team that it founds, or the invitation that leads it into one. */
  entry: { teamName: string | null; invitationHash: string | null };
}

/**
 * An account that does nothing before its e-mail is confirmed. It holds no e-mail until then: several may wait for one,
 * also for one that has an account, so that a sign-up tells nobody who has one, and takes nobody's e-mail away.
 */
export function insertPending({ email, passwordHash, entry }: NewAccount, transaction: Transaction): Promise<User> {
  const id = newId('usr');
  const row = { id, email: id, passwordHash, pendingEmail: email, pendingEntry: entry };
  return User.create(row, { transaction });
}

/** The account that waits for that e-mail and was made last; null without one. */
export function newestPending(email: string): Promise<User | null> {
  return User.findOne({ where: { pendingEmail: email }, order: [['createdAt', 'DESC']] });
}

/**
 * Mails the link that confirms the account's e-mail; where that has an account already, a mail that says so instead. Both
 * do the same amount of work.
 */
export async function mailConfirmation(user: User, transaction: Transaction): Promise<void> {
  const address = user.pendingEmail as string;
  const token = randomToken(32);
  const expiresAt = inSeconds(config.emailConfirmationSeconds);
  const row = { tokenHash: sha256(token), userId: user.id, expiresAt, createdAt: now() };
  await EmailConfirmation.create(row, { transaction });
  const reference = `sign_up:${sha256(row.tokenHash).slice(0, 32)}`;
  const isTaken = (await User.count({ where: { email: address }, transaction })) > 0;
  const link = { url: accountPage('confirm-email', token), expiresAt };
  const mail = isTaken ? knownAccountMail({ address, reference }) : confirmationMail({ address, reference, ...link });
  await queueMails(transaction, [mail]);
}

/**
 * The account, whose row is locked, has shown that the e-mail is its own: it gets it, and its team. Throws `conflict` when it has an account by now, and `team_read_only`.
 */
export async function becomeConfirmed(user: User, transaction: Transaction): Promise<void> {
  const { id, pendingEmail: email, pendingEntry: entry } = user;
  if (!email) return;
  // Of several that wait for one e-mail the first gets it. The others are left to the purge: to delete them here, two that
  // are confirmed at once would wait for each other.
  await user.update({ email, pendingEmail: null, pendingEntry: null }, { transaction }).catch((error) => {
    throw error instanceof UniqueConstraintError ? hasAccount() : error;
  });
  await EmailConfirmation.destroy({ where: { userId: id }, transaction });
  await PasswordReset.destroy({ where: { userId: id }, transaction });
  await enterTeam(user, entry ?? { teamName: null, invitationHash: null }, transaction);
}

function hasAccount(): CodedError {
  return new CodedError('conflict', 'There is an account with this e-mail by now. Sign in to that one.');
}

/** Its team. Without one is left who came by an invitation that is void by now, unless anybody may have a team. */
export async function enterTeam(user: User, entry: NewAccount['entry'], transaction: Transaction): Promise<void> {
  if (!entry.invitationHash) {
    await foundTeam({ ownerId: user.id, name: entry.teamName }, transaction);
    return;
  }
  const invitation = await findInvitation(entry.invitationHash, transaction);
  if (invitation) await joinByInvitation(user, invitation, transaction);
  else if (signUpPolicy() === 'open') await foundTeam({ ownerId: user.id, name: null }, transaction);
}
