import { requirePendingSession } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { Op } from '../../db/sequelize.ts';
import { now } from '../../kernel/clock.ts';
import { CodedError } from '../../kernel/errors.ts';
import { sha256 } from '../../kernel/secrets.ts';
import { EmailConfirmation } from '../../models/EmailConfirmation.ts';
import { User } from '../../models/User.ts';
import { takeAttempts } from './attempts.ts';
import { becomeConfirmed, mailConfirmation } from './pendingAccounts.ts';

/**
 * Lets an account act, by the token of a mail; its sessions go on. Of two who try at once one does. Throws
 * `invalid_token`, and `conflict` when the e-mail has an account by now.
 */
export async function confirmEmail(token: string): Promise<void> {
  const usable = { tokenHash: sha256(token), expiresAt: { [Op.gt]: now() } };
  await inTransaction(async (transaction) => {
    const confirmation = await EmailConfirmation.findOne({ where: usable, transaction });
    const locked = { transaction, lock: transaction.LOCK.UPDATE };
    const user = confirmation && (await User.findByPk(confirmation.userId, locked));
    if (!user?.pendingEmail) {
      throw new CodedError('invalid_token', 'This link was used, or is too old. Sign in, and ask for another one.');
    }
    await becomeConfirmed(user, transaction);
  });
}

/** Mails the link once more to who waits for it. Throws `conflict` when nothing has to be confirmed, `rate_limited`. */
export async function resendConfirmation(principal: Principal): Promise<void> {
  const { userId } = requirePendingSession(principal);
  const user = await User.findByPk(userId);
  if (!user?.pendingEmail) throw new CodedError('conflict', 'Your e-mail is confirmed.');
  await takeAttempts(['confirmationMails', user.pendingEmail]);
  await inTransaction((transaction) => mailConfirmation(user, transaction));
}
