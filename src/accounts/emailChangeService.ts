import { requireSession } from '../access/authorize.ts';
import { type Principal, personPrincipal } from '../access/principal.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock, DAY_MS, inSeconds, now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { CodedError, validationFailed } from '../kernel/errors.ts';
import { randomToken, sha256 } from '../kernel/secrets.ts';
import { isMailConfigured, queueMails, writeMail } from '../mail/mailQueue.ts';
import { EmailChange } from '../models/EmailChange.ts';
import { PasswordReset } from '../models/PasswordReset.ts';
import { User } from '../models/User.ts';
import { accountPage } from './accountPage.ts';
import { countAttempts } from './attempts.ts';
import { type Proof, proveAsker, proveSelf } from './proof.ts';
import { recordInTeams } from './recordAccountChange.ts';
import { clearSecondFactorSince } from './secondFactorCodes.ts';
import { endAllSessions } from './sessionService.ts';
import { isEmailTaken, lockEmails, normalizeEmail } from './userStore.ts';

/** What became of a request to change an e-mail. */
export interface RequestedChange {
  /** The e-mail that the account has now. */
  email: string;
  /** Where the link that makes the change was mailed to; null when the change was made at once. */
  sentTo: string | null;
  changedAt: Date | null;
  /** Until when a mailed link can undo it; null while it waits, and where no mail is sent. */
  undoUntil: Date | null;
}

/**
 * Changes the e-mail of the signed-in person: where mail is sent, once the link that is mailed to the new address is opened,
 * otherwise at once. A change that still waited is replaced. Where mail is sent, neither the answer nor its time reveals
 * whether the address has an account. Throws `validation_failed`, what `proveSelf` throws, and without mail `conflict` for an
 * address that has an account.
 */
export async function changeEmail(principal: Principal, given: Proof & { email: string }): Promise<RequestedChange> {
  const proven = await proveSelf(principal, given);
  const email = normalizeEmail(given.email);
  if (email === proven.user.email) throw validationFailed([{ path: 'email', message: 'Is your e-mail already.' }]);
  await countAttempts(['emailChanges', proven.user.id]);
  if (isMailConfigured()) await countAttempts(['confirmationMails', email]);
  return proven.change(async (user, transaction): Promise<RequestedChange> => {
    await EmailChange.destroy({ where: { userId: user.id, changedAt: null }, transaction });
    if (isMailConfigured()) return mailConfirmation(user, email, transaction);
    await applyChange(user, email, transaction);
    return { email, sentTo: null, changedAt: now(), undoUntil: null };
  });
}

/** The address to which the person wants to change and that is not confirmed yet; null without one. */
export async function pendingEmailOf(userId: string): Promise<string | null> {
  const change = await EmailChange.findOne({ where: { userId, changedAt: null, expiresAt: { [Op.gt]: now() } } });
  return change?.toEmail ?? null;
}

/** Withdraws a change that waits to be confirmed; does nothing without one. Returns the id of the account. */
export async function cancelEmailChange(principal: Principal): Promise<string> {
  const { userId } = requireSession(principal);
  await inTransaction((transaction) => EmailChange.destroy({ where: { userId, changedAt: null }, transaction }));
  return userId;
}

/**
 * Makes a change with the token that was mailed to the new address, for a person who is signed in to the account or knows its
 * password: a stranger may have entered the address of the mailbox. Sessions go on. The former address gets a link to undo it.
 * Of two simultaneous calls, or of two accounts that wait for one address, one succeeds. Returns the id of the account.
 * Throws `invalid_token`, what `proveAsker` throws, and `conflict` when the address belongs to another account by now.
 */
export async function confirmEmailChange(
  principal: Principal,
  { token, password }: { token: string; password?: string | null },
): Promise<string> {
  const where = { tokenHash: sha256(token), changedAt: null, expiresAt: { [Op.gt]: now() } };
  const asked = await EmailChange.findOne({ where });
  const asker = asked && (await User.findByPk(asked.userId));
  if (!asker) throw invalidLink();
  await proveAsker(principal, asker, { password, tokenHash: where.tokenHash });
  return inTransaction(async (transaction) => {
    const { change, user } = await claimChange(where, transaction);
    if (user.email !== change.fromEmail) throw invalidLink();
    await applyChange(user, change.toEmail, transaction);
    return user.id;
  });
}

/**
 * Restores the e-mail that the account had before the change of that token, whoever has its password by now. Ends every
 * session, removes a second factor that was switched on since, and voids pending changes, the links that undo later changes,
 * and mailed links for new passwords. A deleted account stays deleted; the mail says how it is restored. Throws `invalid_token`.
 */
export async function undoEmailChange(token: string): Promise<void> {
  const where = { tokenHash: sha256(token), changedAt: { [Op.ne]: null }, expiresAt: { [Op.gt]: now() } };
  await inTransaction(async (transaction) => {
    const { change, user } = await claimChange(where, transaction);
    const [from, to] = [user.email, change.fromEmail];
    await lockEmails([from, to], transaction);
    await user.update({ email: to }, { transaction });
    const since = change.changedAt as Date;
    await clearSecondFactorSince(since, user, transaction);
    const isVoid = { [Op.or]: [{ [Op.is]: null }, { [Op.gte]: since }] };
    await EmailChange.destroy({ where: { userId: user.id, changedAt: isVoid }, transaction });
    await PasswordReset.destroy({ where: { userId: user.id }, transaction });
    await endAllSessions(user.id, transaction);
    await record(user, 'account.email_change_undone', { from, to }, transaction);
    const facts = { from, to, deletionAt: user.deletionAt };
    const mails = [...new Set([to, from])].map((address) =>
      writeMail('email_change_undone', { address, reference: `${referenceOf(change)}:${address}` }, facts),
    );
    await queueMails(transaction, mails);
  });
}

/** The changes of a person that were made and that a mailed link can still undo, in the order in which the links end. */
export function undoableChanges(userId: string, transaction: Transaction): Promise<EmailChange[]> {
  const where = { userId, changedAt: { [Op.ne]: null }, expiresAt: { [Op.gt]: now() } };
  return EmailChange.findAll({ where, order: [['expiresAt', 'ASC']], transaction });
}

/**
 * Mails the link that makes the change, or, when the address belongs to another account, a mail that says so. Both cases
 * store the same and do the same amount of work.
 */
async function mailConfirmation(user: User, toEmail: string, transaction: Transaction): Promise<RequestedChange> {
  const expiresAt = inSeconds(config.emailConfirmationSeconds);
  const { change, token } = await insertChange({ user, toEmail, expiresAt, changedAt: null }, transaction);
  const recipient = { address: toEmail, reference: referenceOf(change) };
  const link = { from: user.email, url: accountPage('change-email', token), expiresAt, at: change.createdAt };
  const mail = (await isEmailTaken(toEmail, transaction, user.id))
    ? writeMail('email_in_use', recipient, {})
    : writeMail('confirm_email_change', recipient, link);
  await queueMails(transaction, [mail]);
  return { email: user.email, sentTo: toEmail, changedAt: null, undoUntil: null };
}

/** Makes the change for the locked user. Throws `conflict` when the address belongs to another account. */
async function applyChange(user: User, to: string, transaction: Transaction): Promise<void> {
  const from = user.email;
  // Both at once, in sorted order: two accounts that want each other's address must not wait for each other.
  await lockEmails([from, to], transaction);
  if (await isEmailTaken(to, transaction, user.id)) {
    throw new CodedError('conflict', 'Another account has this e-mail. Change to another one.');
  }
  const mail = isMailConfigured() ? await makeUndoable(user, to, transaction) : null;
  await user.update({ email: to }, { transaction });
  // They were mailed to the former address.
  await PasswordReset.destroy({ where: { userId: user.id }, transaction });
  await record(user, 'account.email_changed', { from, to }, transaction);
  if (mail) await queueMails(transaction, [mail]);
}

/** Reserves the former address and returns the mail with the link that undoes the change. */
async function makeUndoable(user: User, toEmail: string, transaction: Transaction) {
  const expiresAt = new Date(clock.now() + config.emailUndoDays * DAY_MS);
  const changedAt = await timeOfNextChange(user, transaction);
  const { change, token } = await insertChange({ user, toEmail, expiresAt, changedAt }, transaction);
  const { fromEmail: from, toEmail: to, createdAt: at } = change;
  const facts = { from, to, at, url: accountPage('undo-email-change', token), undoUntil: expiresAt };
  return writeMail('email_changed', { address: from, reference: referenceOf(change) }, facts);
}

/**
 * Later than every change of the locked user before. Undoing one voids those after it, and the clock of the process that
 * made it may have been ahead.
 */
async function timeOfNextChange({ id: userId }: User, transaction: Transaction): Promise<Date> {
  const where = { userId, changedAt: { [Op.ne]: null } };
  const newest = await EmailChange.findOne({ where, order: [['changedAt', 'DESC']], transaction });
  return new Date(Math.max(clock.now(), (newest?.changedAt?.getTime() ?? 0) + 1));
}

async function insertChange(
  { user, ...row }: { user: User; toEmail: string; expiresAt: Date; changedAt: Date | null },
  transaction: Transaction,
): Promise<{ change: EmailChange; token: string }> {
  const token = randomToken(32);
  const of = { userId: user.id, fromEmail: user.email };
  const change = await EmailChange.create(
    { ...row, ...of, tokenHash: sha256(token), createdAt: now() },
    { transaction },
  );
  return { change, token };
}

/** Uses the token of a change up, and returns the change with its locked user. Throws `invalid_token`. */
async function claimChange(
  where: { tokenHash: string },
  transaction: Transaction,
): Promise<{ change: EmailChange; user: User }> {
  const change = await EmailChange.findOne({ where, transaction });
  const user = change && (await User.findByPk(change.userId, { transaction, lock: transaction.LOCK.UPDATE }));
  // Deleted after the user is locked, because another change of theirs may have voided the token meanwhile.
  if (!user || (await EmailChange.destroy({ where, transaction })) === 0) throw invalidLink();
  return { change, user };
}

async function record(
  user: User,
  action: 'account.email_changed' | 'account.email_change_undone',
  email: { from: string; to: string },
  transaction: Transaction,
): Promise<void> {
  await recordInTeams(transaction, user, { action, actor: personPrincipal(user.id), details: { changes: { email } } });
}

/** Names a change without revealing its token. */
function referenceOf({ tokenHash }: EmailChange): string {
  return `email_change:${sha256(tokenHash).slice(0, 32)}`;
}

function invalidLink(): CodedError {
  return new CodedError('invalid_token', 'This link was used before or replaced, or has expired.');
}
