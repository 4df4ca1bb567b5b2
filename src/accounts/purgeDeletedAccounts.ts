import { type Model, type ModelStatic, Op, type Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { now } from '../kernel/clock.ts';
import { EmailChange } from '../models/EmailChange.ts';
import { EmailConfirmation } from '../models/EmailConfirmation.ts';
import { Mail } from '../models/Mail.ts';
import { PasswordReset } from '../models/PasswordReset.ts';
import { RecoveryCode } from '../models/RecoveryCode.ts';
import { SecondFactorUndo } from '../models/SecondFactorUndo.ts';
import { Session } from '../models/Session.ts';
import { User } from '../models/User.ts';

/** Everything that belongs to one person alone. Counts of attempts end by themselves, within a day. */
const OWNED: ModelStatic<Model>[] = [
  Session,
  RecoveryCode,
  PasswordReset,
  EmailConfirmation,
  EmailChange,
  SecondFactorUndo,
];

/**
 * Deletes up to `batch` accounts that were deleted by their person and can no longer be restored, each in a transaction with
 * all that belongs to it. Links, keys and the audit log of their teams stay. Returns whether there may be more.
 */
export async function purgeDeletedAccounts(batch: number): Promise<boolean> {
  const due = { deletionAt: { [Op.lte]: now() } };
  const users = await User.findAll({ attributes: ['id'], where: due, order: [['deletionAt', 'ASC']], limit: batch });
  for (const { id } of users) {
    await inTransaction(async (transaction) => {
      const where = { id, ...due };
      const user = await User.findOne({ where, transaction, lock: transaction.LOCK.UPDATE });
      if (user) await deleteUser(user, transaction);
    });
  }
  return users.length === batch;
}

async function deleteUser(user: User, transaction: Transaction): Promise<void> {
  const { id: userId, email: address } = user;
  for (const model of OWNED) await model.destroy({ where: { userId }, transaction });
  await Mail.destroy({ where: { userId }, transaction });
  // What waits may be an invitation to a new account.
  await Mail.destroy({ where: { address, status: ['sent', 'failed'] }, transaction });
  await user.destroy({ transaction });
}
