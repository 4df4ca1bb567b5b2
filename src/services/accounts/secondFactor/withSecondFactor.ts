import type { Principal } from '../../../access/principal.ts';
import { inTransaction } from '../../../db/inTransaction.ts';
import type { Transaction } from '../../../db/sequelize.ts';
import { CodedError } from '../../../kernel/errors.ts';
import type { User } from '../../../models/User.ts';
import { giveBackAttempts, takeAttempts } from '../attempts.ts';
import { lockUser } from '../lockUser.ts';
import { provePassword } from '../provePassword.ts';
import { useSecondFactor } from './useSecondFactor.ts';

/**
 * Does `work` with the locked row of the signed-in person, who has shown password and code. Throws `conflict` when no
 * second factor is on, `invalid_credentials`, `rate_limited`.
 */
export async function withSecondFactor<Result>(
  principal: Principal,
  { password, code }: { password: string; code: string },
  work: (user: User, transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const proven = await provePassword(principal, password);
  if (!proven.totpEnabledAt) throw notOn();
  await takeAttempts(['secondFactor', proven.id]);
  const result = await inTransaction(async (transaction) => {
    const user = await lockUser(proven, transaction);
    if (!user.totpEnabledAt) throw notOn();
    await useSecondFactor(user, code, transaction);
    return work(user, transaction);
  });
  await giveBackAttempts(['secondFactor', proven.id]);
  return result;
}

function notOn(): CodedError {
  return new CodedError('conflict', 'No second factor is on.');
}
