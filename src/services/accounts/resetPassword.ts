import { inTransaction } from '../../db/inTransaction.ts';
import { Op } from '../../db/sequelize.ts';
import { now } from '../../kernel/clock.ts';
import { CodedError } from '../../kernel/errors.ts';
import { sha256 } from '../../kernel/secrets.ts';
import { PasswordReset } from '../../models/PasswordReset.ts';
import { User } from '../../models/User.ts';
import { hashAccountPassword } from './accountPasswords.ts';
import { forgetAttempts } from './attempts.ts';
import { noteAccountChange } from './noteAccountChange.ts';
import { refuseWeakPassword } from './refuseWeakPassword.ts';
import { endAllSessions } from './sessions.ts';

/**
 * Sets a new password with the token of a mail, and signs the person out everywhere; they sign in with it next, with their
 * second factor where one is on. Of two who try at once one does. Throws `invalid_token`, `validation_failed`.
 */
export async function resetPassword({ token, password }: { token: string; password: string }): Promise<void> {
  const usable = { tokenHash: sha256(token), expiresAt: { [Op.gt]: now() } };
  const reset = await PasswordReset.findOne({ where: usable });
  const known = reset && (await User.findByPk(reset.userId));
  if (!known) throw usedUp();
  refuseWeakPassword(password, known.email, 'password');
  const passwordHash = await hashAccountPassword(password);
  await inTransaction(async (transaction) => {
    if ((await PasswordReset.destroy({ where: usable, transaction })) === 0) throw usedUp();
    const user = await User.findByPk(known.id, { transaction, lock: transaction.LOCK.UPDATE, rejectOnEmpty: true });
    await user.update({ passwordHash }, { transaction });
    await PasswordReset.destroy({ where: { userId: user.id }, transaction });
    await endAllSessions(user.id, transaction);
    await noteAccountChange(transaction, user, 'account.password_reset');
  });
  // Somebody else's guesses must not keep out who reads the mail.
  await forgetAttempts(['signInEmail', known.email]);
}

function usedUp(): CodedError {
  return new CodedError('invalid_token', 'This link was used, or is too old. Ask for another one.');
}
