import { requireSession } from '../../../access/authorize.ts';
import type { Principal } from '../../../access/principal.ts';
import { inTransaction } from '../../../db/inTransaction.ts';
import { unsealFor } from '../../../db/sealedColumns.ts';
import { now } from '../../../kernel/clock.ts';
import { CodedError, notFound } from '../../../kernel/errors.ts';
import { User } from '../../../models/User.ts';
import { giveBackAttempts, takeAttempts } from '../attempts.ts';
import { noteAccountChange } from '../noteAccountChange.ts';
import { endAllSessions } from '../sessions.ts';
import { replaceRecoveryCodes } from './recoveryCodes.ts';
import { stepOfCode } from './totp.ts';
import { wrongCode } from './useSecondFactor.ts';

/**
 * Switches the second factor on with the first code of the app, and gives the recovery codes. Other sessions end: they
 * began without a code, and whoever switches it on may well do so because of one of them. Throws `conflict` when it is
 * on or was not begun, `invalid_credentials` for a wrong code.
 */
export async function confirmSecondFactor(principal: Principal, code: string): Promise<string[]> {
  const { userId, tokenHash } = requireSession(principal);
  await takeAttempts(['secondFactor', userId]);
  const codes = await inTransaction(async (transaction) => {
    const user = await User.findByPk(userId, { transaction, lock: transaction.LOCK.UPDATE });
    if (!user) throw notFound('user');
    if (user.totpEnabledAt) throw new CodedError('conflict', 'The second factor is on already.');
    if (!user.totpSecret) throw new CodedError('conflict', 'Begin with beginSecondFactor, which gives the secret.');
    const totpStep = stepOfCode(unsealFor('secondFactor', [user.id], user.totpSecret), code.replace(/\s/g, ''), 0);
    if (totpStep === null) throw wrongCode();
    await user.update({ totpEnabledAt: now(), totpStep }, { transaction });
    await endAllSessions(userId, transaction, tokenHash);
    await noteAccountChange(transaction, user, 'account.second_factor_on');
    return replaceRecoveryCodes(user.id, transaction);
  });
  await giveBackAttempts(['secondFactor', userId]);
  return codes;
}
