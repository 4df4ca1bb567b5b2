import { inTransaction } from '../../db/inTransaction.ts';
import { Op } from '../../db/sequelize.ts';
import { User } from '../../models/User.ts';
import { newResetLink } from './newResetLink.ts';
import { normalEmail } from './normalEmail.ts';
import { noteAccountChange } from './noteAccountChange.ts';
import { newestPending } from './pendingAccounts.ts';
import { clearSecondFactor } from './secondFactor/clearSecondFactor.ts';

/** A link for a person to set a new password, for an operator to hand over. Throws when there is no such account. */
export async function makeResetLink(email: string): Promise<{ url: string; expiresAt: Date }> {
  const user = await userOf(email);
  return inTransaction((transaction) => newResetLink(user.id, transaction));
}

/** Lets a person sign in without the second factor that they lost. Throws when there is no such account. */
export async function resetSecondFactor(email: string): Promise<{ wasOn: boolean }> {
  const user = await userOf(email);
  if (!user.totpEnabledAt) return { wasOn: false };
  await inTransaction(async (transaction) => {
    await clearSecondFactor(user, transaction);
    await noteAccountChange(transaction, user, 'account.second_factor_off', 'operator');
  });
  return { wasOn: true };
}

/** By e-mail, or by the id that the log names. */
async function userOf(email: string): Promise<User> {
  const normal = normalEmail(email);
  const user =
    (await User.findOne({ where: { [Op.or]: [{ email: normal }, { id: normal }] } })) ?? (await newestPending(normal));
  if (!user) throw new Error(`There is no account with the e-mail ${email}.`);
  return user;
}
