import { inTransaction } from '../../db/inTransaction.ts';
import { Op, type Transaction } from '../../db/sequelize.ts';
import { now } from '../../kernel/clock.ts';
import { CodedError } from '../../kernel/errors.ts';
import { sha256 } from '../../kernel/secrets.ts';
import { PasswordReset } from '../../models/PasswordReset.ts';
import { User } from '../../models/User.ts';
import { hashAccountPassword } from './accountPasswords.ts';
import { accountFrom, forgetAttempts } from './attempts.ts';
import type { Client } from './Client.ts';
import { noteAccountChange } from './noteAccountChange.ts';
import { becomeConfirmed } from './pendingAccounts.ts';
import { refuseWeakPassword } from './refuseWeakPassword.ts';
import { clearSecondFactor } from './secondFactor/clearSecondFactor.ts';
import { endAllSessions } from './sessions.ts';

/**
 * Sets a new password with the token of a mail, and signs the person out everywhere; they sign in with it next, with their
 * second factor where one is on. Whoever read the mail has shown that the e-mail is theirs: an account that waited for that
 * is confirmed, and keeps nothing of who made it. Of two who try at once one does. Throws `invalid_token`,
 * `validation_failed`, and `conflict` when the e-mail has another account by now.
 */
export async function resetPassword(
  { token, password }: { token: string; password: string },
  client: Client,
): Promise<void> {
  const usable = { tokenHash: sha256(token), expiresAt: { [Op.gt]: now() } };
  const reset = await PasswordReset.findOne({ where: usable });
  const known = reset && (await User.findByPk(reset.userId));
  if (!known) throw usedUp();
  const email = known.pendingEmail ?? known.email;
  refuseWeakPassword(password, email, 'password');
  const passwordHash = await hashAccountPassword(password);
  await inTransaction(async (transaction) => {
    if ((await PasswordReset.destroy({ where: usable, transaction })) === 0) throw usedUp();
    const user = await User.findByPk(known.id, { transaction, lock: transaction.LOCK.UPDATE, rejectOnEmpty: true });
    await user.update({ passwordHash }, { transaction });
    if (user.pendingEmail) await takeOver(user, transaction);
    await PasswordReset.destroy({ where: { userId: user.id }, transaction });
    await endAllSessions(user.id, transaction);
    await noteAccountChange(transaction, user, 'account.password_reset');
  });
  // Somebody else's guesses must not keep out who reads the mail.
  const from = accountFrom(email, client.address);
  await forgetAttempts(['signInAccount', email], ['signInFrom', from]);
}

async function takeOver(user: User, transaction: Transaction): Promise<void> {
  await clearSecondFactor(user, transaction);
  await becomeConfirmed(user, transaction);
}

function usedUp(): CodedError {
  return new CodedError('invalid_token', 'This link was used, or is too old. Ask for another one.');
}
