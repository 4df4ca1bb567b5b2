import type { Transaction } from '../../db/sequelize.ts';
import { CodedError } from '../../kernel/errors.ts';
import { User } from '../../models/User.ts';

/**
 * The person's row, locked. Throws `invalid_credentials` when the password was changed since it was looked at, which was
 * before the transaction: hashing takes long.
 */
export async function lockUser({ id, passwordHash }: User, transaction: Transaction): Promise<User> {
  const user = await User.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE });
  if (user?.passwordHash === passwordHash) return user;
  throw new CodedError('invalid_credentials', 'The password was changed meanwhile. Sign in with the new one.');
}
