import { OPERATOR_TEAMS } from '../access/operatorTeams.ts';
import { queryRaw } from '../db/query.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { randomToken } from '../kernel/secrets.ts';
import { ADMIN_CALL } from '../kernel/version.ts';
import { PasswordReset } from '../models/PasswordReset.ts';
import { User } from '../models/User.ts';
import { hashAccountPassword } from './accountPasswords.ts';
import { insertResetLink } from './accountService.ts';
import { updateUnseenPassword } from './firstStart.ts';
import { recordAccountChange } from './recordAccountChange.ts';
import { clearSecondFactor } from './secondFactorCodes.ts';
import { endAllSessions } from './sessionService.ts';
import { newestPending, normalizeEmail } from './userStore.ts';

/**
 * Sets a new password for the first owner of the operator's teams, turns off their second factor and ends their sessions; for
 * `npm run admin -- reset-owner`. Returns the password in plain text.
 */
export async function resetOwner(newPassword?: string): Promise<{ email: string; password: string }> {
  const { id, email } = await findOwner();
  const password = newPassword ?? randomToken(12);
  const passwordHash = await hashAccountPassword(password);
  await inTransaction(async (transaction) => {
    const user = await lockUserRow(id, transaction);
    const wasOn = user.totpEnabledAt !== null;
    await user.update({ passwordHash }, { transaction });
    await updateUnseenPassword(password, transaction);
    await clearSecondFactor(user, transaction);
    await PasswordReset.destroy({ where: { userId: user.id }, transaction });
    await endAllSessions(user.id, transaction);
    await recordAccountChange(transaction, user, 'account.password_reset', 'operator');
    if (wasOn) await recordAccountChange(transaction, user, 'account.second_factor_off', 'operator');
  });
  return { email, password };
}

/** Creates a password reset link for the operator to hand over. Throws when there is no such account. */
export async function createResetLink(email: string): Promise<{ url: string; expiresAt: Date }> {
  const user = await findUser(email);
  return inTransaction((transaction) => insertResetLink(user.id, transaction));
}

/** Turns off the second factor that a person has lost. Throws when there is no such account. */
export async function resetSecondFactor(email: string): Promise<{ wasOn: boolean }> {
  const { id } = await findUser(email);
  return inTransaction(async (transaction) => {
    const user = await lockUserRow(id, transaction);
    if (!user.totpEnabledAt) return { wasOn: false };
    await clearSecondFactor(user, transaction);
    await recordAccountChange(transaction, user, 'account.second_factor_off', 'operator');
    return { wasOn: true };
  });
}

function lockUserRow(id: string, transaction: Transaction): Promise<User> {
  return User.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE, rejectOnEmpty: true });
}

/** The oldest owner of the operator's teams. Throws when there is none: the next owner would be a stranger. */
async function findOwner(): Promise<User> {
  const [owner] = await queryRaw<{ id: string }>(
    `SELECT users.id FROM memberships JOIN users ON users.id = memberships.user_id
     WHERE role = 'owner' AND team_id IN (${OPERATOR_TEAMS}) AND users.deletion_at IS NULL
     ORDER BY memberships.created_at, users.id LIMIT 1`,
    [],
  );
  if (owner) return User.findByPk(owner.id, { rejectOnEmpty: true });
  if ((await User.count()) === 0) throw new Error('There is no owner yet; the first start creates one.');
  throw new Error(
    `Your teams or the accounts of their owners are deleted. Name the person: ${ADMIN_CALL} reset-password EMAIL.`,
  );
}

/** The user with that e-mail, or with the id that the log names. */
async function findUser(email: string): Promise<User> {
  const normal = normalizeEmail(email);
  const user =
    (await User.findOne({ where: { [Op.or]: [{ email: normal }, { id: normal }] } })) ?? (await newestPending(normal));
  if (!user) throw new Error(`There is no account with the e-mail ${email}.`);
  return user;
}
