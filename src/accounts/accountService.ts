import { requireSession } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { inSeconds, now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { CodedError } from '../kernel/errors.ts';
import { log } from '../kernel/log.ts';
import { randomToken, sha256 } from '../kernel/secrets.ts';
import { ADMIN_CALL } from '../kernel/version.ts';
import { isMailConfigured, queueMails, writeMail } from '../mail/mailQueue.ts';
import { PasswordReset } from '../models/PasswordReset.ts';
import { User } from '../models/User.ts';
import { accountPage } from './accountPage.ts';
import { hashAccountPassword, refuseWeakPassword } from './accountPasswords.ts';
import { accountFrom, countAttempts, resetAttempts } from './attempts.ts';
import { rememberBrowser } from './browsers.ts';
import { pendingEmailOf } from './emailChangeService.ts';
import { proveSelf } from './proof.ts';
import { recordAccountChange } from './recordAccountChange.ts';
import { clearSecondFactor, countRecoveryCodes } from './secondFactorCodes.ts';
import { type Client, endAllSessions } from './sessionService.ts';
import { confirmAccount } from './signUpService.ts';
import { newestPending, normalizeEmail } from './userStore.ts';

/** An account as its person sees it. */
export interface Account {
  id: string;
  email: string;
  /** Until it is true, the account can do nothing but confirm its e-mail. */
  emailConfirmed: boolean;
  /** The e-mail that replaces it once it is confirmed; null without one. */
  pendingEmail: string | null;
  /** When the deleted account will be deleted for good; until then it can only be restored. Null for all others. */
  deletionAt: Date | null;
  /** Whether signing in needs the code of an authenticator app. */
  secondFactor: boolean;
  /** Recovery codes that were not used yet. */
  recoveryCodesLeft: number;
  createdAt: Date;
}

/** The account of a user; null when there is none. */
export async function readAccount(userId: string): Promise<Account | null> {
  const user = await User.findByPk(userId);
  if (!user) return null;
  const { id, email, pendingEmail: unconfirmed, totpEnabledAt, deletionAt, createdAt } = user;
  const [pendingEmail, recoveryCodesLeft] = await Promise.all([pendingEmailOf(id), countRecoveryCodes(id)]);
  const address = { email: unconfirmed ?? email, emailConfirmed: unconfirmed === null, pendingEmail };
  return { id, ...address, deletionAt, secondFactor: totpEnabledAt !== null, recoveryCodesLeft, createdAt };
}

/**
 * Changes the password of the signed-in person and ends their other sessions. Returns the cookie by which this browser, and
 * no other, stays known to the account. Throws `validation_failed`, and what `proveSelf` throws.
 */
export async function changePassword(
  principal: Principal,
  { currentPassword, password, code }: { currentPassword: string; password: string; code?: string | null },
  client: Client,
): Promise<string> {
  const proven = await proveSelf(principal, { password: currentPassword, code });
  refuseWeakPassword(password, proven.user.email, 'password');
  const passwordHash = await hashAccountPassword(password, 'known');
  const changed = await proven.change(async (user, transaction) => {
    await user.update({ passwordHash }, { transaction });
    await PasswordReset.destroy({ where: { userId: user.id }, transaction });
    await endAllSessions(user.id, transaction, requireSession(principal).tokenHash);
    await recordAccountChange(transaction, user, 'account.password_changed');
    return user;
  });
  return rememberBrowser(client.knownBrowsers, changed);
}

/**
 * Mails a link to set a new password, if the e-mail has an account. Neither the response nor its time reveals whether it
 * has one, because the work is done after the response. Throws `rate_limited`.
 */
export async function requestPasswordReset(given: string, client: Client): Promise<void> {
  const email = normalizeEmail(given);
  await countAttempts(['resetAddress', client.address], ['resetEmail', email]);
  setImmediate(() => void sendResetLink(email));
}

/**
 * Sets a new password with the token of a mail and ends every session of the account; a second factor stays on. The token
 * proves that the e-mail belongs to the reader: an unconfirmed account is confirmed, and loses the second factor that its
 * creator may have set up. Of two simultaneous calls one succeeds. Throws `invalid_token`, `validation_failed`, and
 * `conflict` when the e-mail belongs to another account by now.
 */
export async function resetPassword(
  { token, password }: { token: string; password: string },
  client: Client,
): Promise<void> {
  const usable = { tokenHash: sha256(token), expiresAt: { [Op.gt]: now() } };
  const reset = await PasswordReset.findOne({ where: usable });
  const known = reset && (await User.findByPk(reset.userId));
  if (!known) throw invalidResetLink();
  const email = known.pendingEmail ?? known.email;
  refuseWeakPassword(password, email, 'password');
  const passwordHash = await hashAccountPassword(password);
  await inTransaction(async (transaction) => {
    if ((await PasswordReset.destroy({ where: usable, transaction })) === 0) throw invalidResetLink();
    const user = await User.findByPk(known.id, { transaction, lock: transaction.LOCK.UPDATE, rejectOnEmpty: true });
    await user.update({ passwordHash }, { transaction });
    if (user.pendingEmail) await takeOver(user, transaction);
    await PasswordReset.destroy({ where: { userId: user.id }, transaction });
    await endAllSessions(user.id, transaction);
    await recordAccountChange(transaction, user, 'account.password_reset');
  });
  // The guesses of others must not lock out the person who read the mail.
  const from = accountFrom(email, client.address);
  await resetAttempts(['signInAccount', email], ['signInFrom', from]);
}

/** Creates a link with which the user can set a new password once. `reference` identifies it without revealing it. */
export async function insertResetLink(
  userId: string,
  transaction: Transaction,
): Promise<{ url: string; expiresAt: Date; reference: string }> {
  const token = randomToken(32);
  const expiresAt = inSeconds(config.passwordResetSeconds);
  const row = { tokenHash: sha256(token), userId, expiresAt, createdAt: now() };
  await PasswordReset.create(row, { transaction });
  const url = accountPage('reset-password', token);
  return { url, expiresAt, reference: `password_reset:${sha256(row.tokenHash).slice(0, 32)}` };
}

async function sendResetLink(email: string): Promise<void> {
  try {
    const user = (await User.findOne({ where: { email } })) ?? (await newestPending(email));
    if (!user) return;
    if (isMailConfigured()) await mailLink(user, email);
    else
      log.warn(
        `a password reset was requested for ${user.id}, and no mail is sent without SMTP_URL: ${commandFor(user)}`,
      );
  } catch (error) {
    log.error({ err: error }, 'a link to set a new password could not be mailed');
  }
}

async function mailLink({ id }: User, address: string): Promise<void> {
  await inTransaction(async (transaction) => {
    const user = await User.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE });
    // The account may have changed its e-mail since it was found: the link must not go to the former one.
    if (!user || (user.pendingEmail ?? user.email) !== address) return;
    const link = await insertResetLink(id, transaction);
    await queueMails(transaction, [writeMail('password_reset', { address, reference: link.reference }, link)]);
  });
}

/** Names the user by id: more people read the log than may know who has an account. */
function commandFor({ id }: User): string {
  return `${ADMIN_CALL} reset-password ${id} prints a link to hand over`;
}

async function takeOver(user: User, transaction: Transaction): Promise<void> {
  await clearSecondFactor(user, transaction);
  await confirmAccount(user, transaction);
}

function invalidResetLink(): CodedError {
  return new CodedError('invalid_token', 'This link was used before or has expired. Ask for a new one.');
}
