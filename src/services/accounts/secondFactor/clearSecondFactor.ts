import type { Transaction } from '../../../db/sequelize.ts';
import { RecoveryCode } from '../../../models/RecoveryCode.ts';
import type { User } from '../../../models/User.ts';

/** Forgets the second factor of a person, with their recovery codes. */
export async function clearSecondFactor(user: User, transaction: Transaction): Promise<void> {
  await user.update({ totpSecret: null, totpEnabledAt: null, totpStep: 0 }, { transaction });
  await RecoveryCode.destroy({ where: { userId: user.id }, transaction });
}
