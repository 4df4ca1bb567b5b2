import { accountDeleted } from '../access/authorize.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { lockNames } from '../db/transactions.ts';
import { now } from '../kernel/clock.ts';
import { CodedError, notFound } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { EmailChange } from '../models/EmailChange.ts';
import { User } from '../models/User.ts';

/** An account to be created. */
export interface NewAccount {
  email: string;
  passwordHash: string;
  /** The team that it creates, or the invitation by which it joins one. */
  entry: { teamName: string | null; invitationHash: string | null };
}

/** An e-mail as users and invitations store it. */
export function normalizeEmail(given: string): string {
  return given.trim().toLowerCase();
}

/**
 * The user's row, locked. Throws `invalid_credentials` when the password has changed since it was checked, which happens
 * before the transaction because hashing takes long.
 */
export async function lockUser({ id, passwordHash }: User, transaction: Transaction): Promise<User> {
  const user = await User.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE });
  if (user?.passwordHash === passwordHash) return user;
  throw new CodedError('invalid_credentials', 'The password has just been changed. Sign in with the new one.');
}

/**
 * The user's row, locked, for what a deleted account must not do: an account that is being deleted joins and creates no team.
 * Throws `account_deleted`, and `not_found` once it is gone.
 */
export async function lockPresentUser(id: string, transaction: Transaction): Promise<User> {
  const user = await User.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE });
  if (!user) throw notFound('user');
  if (user.deletionAt) throw accountDeleted();
  return user;
}

/** Lets one transaction at a time decide whose these e-mails are. Lock the user's row first. */
export function lockEmails(emails: readonly string[], transaction: Transaction): Promise<void> {
  return lockNames(
    emails.map((email) => `e-mail ${email}`),
    transaction,
  );
}

/**
 * Whether the e-mail belongs to an account other than `exceptUserId`, or did before a change that can still be undone, and
 * stays so until the transaction ends. Does the same amount of work either way, so that the time does not reveal which.
 */
export async function isEmailTaken(email: string, transaction: Transaction, exceptUserId = ''): Promise<boolean> {
  await lockEmails([email], transaction);
  const others = { [Op.ne]: exceptUserId };
  const accounts = await User.count({ where: { email, id: others }, transaction });
  const undoable = { changedAt: { [Op.ne]: null }, expiresAt: { [Op.gt]: now() } };
  const changes = await EmailChange.count({ where: { fromEmail: email, userId: others, ...undoable }, transaction });
  return accounts + changes > 0;
}

/**
 * Inserts an account that can do nothing until its e-mail is confirmed. It does not own the e-mail until then: several
 * accounts may wait for the same one, even for one that has an account, so that a sign-up neither reveals who has an
 * account nor takes an e-mail from its owner.
 */
export function insertPending({ email, passwordHash, entry }: NewAccount, transaction: Transaction): Promise<User> {
  const id = newId('usr');
  const row = { id, email: id, passwordHash, pendingEmail: email, pendingEntry: entry };
  return User.create(row, { transaction });
}

/** The newest account that waits for that e-mail to be confirmed; null without one. */
export function newestPending(email: string): Promise<User | null> {
  return User.findOne({ where: { pendingEmail: email }, order: [['createdAt', 'DESC']] });
}
