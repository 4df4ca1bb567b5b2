import { inTransaction } from '../../db/inTransaction.ts';
import { randomToken } from '../../kernel/secrets.ts';
import { Membership } from '../../models/Membership.ts';
import { PasswordReset } from '../../models/PasswordReset.ts';
import { User } from '../../models/User.ts';
import { hashAccountPassword } from './accountPasswords.ts';
import { changeUnseenPassword } from './firstStart.ts';
import { noteAccountChange } from './noteAccountChange.ts';
import { clearSecondFactor } from './secondFactor/clearSecondFactor.ts';
import { endAllSessions } from './sessions.ts';

/**
 * Gives the first owner a new password, switches their second factor off and signs them out everywhere; for
 * `npm run admin -- reset-owner`.
 */
export async function resetOwner(newPassword?: string): Promise<{ email: string; password: string }> {
  const membership = await Membership.findOne({ where: { role: 'owner' }, order: [['createdAt', 'ASC']] });
  const user = membership && (await User.findByPk(membership.userId));
  if (!user) throw new Error('There is no owner yet; the first start makes one.');
  const password = newPassword ?? randomToken(12);
  const passwordHash = await hashAccountPassword(password);
  await inTransaction(async (transaction) => {
    const wasOn = user.totpEnabledAt !== null;
    await user.update({ passwordHash }, { transaction });
    await changeUnseenPassword(password, transaction);
    await clearSecondFactor(user, transaction);
    await PasswordReset.destroy({ where: { userId: user.id }, transaction });
    await endAllSessions(user.id, transaction);
    await noteAccountChange(transaction, user, 'account.password_reset', 'operator');
    if (wasOn) await noteAccountChange(transaction, user, 'account.second_factor_off', 'operator');
  });
  return { email: user.email, password };
}
