import type { Principal } from '../../../access/principal.ts';
import { inTransaction } from '../../../db/inTransaction.ts';
import { sealFor } from '../../../db/sealedColumns.ts';
import { CodedError } from '../../../kernel/errors.ts';
import { lockUser } from '../lockUser.ts';
import { provePassword } from '../provePassword.ts';
import { newTotpSecret, totpUri } from './totp.ts';

/** What an authenticator app is given, as text and as QR codes hold it. */
export interface SecondFactorSetup {
  secret: string;
  uri: string;
}

/**
 * Gives the person a secret for their app; nothing asks for codes until one was shown by `confirmSecondFactor`. Throws
 * `conflict` when the second factor is on, `invalid_credentials`.
 */
export async function beginSecondFactor(principal: Principal, password: string): Promise<SecondFactorSetup> {
  const proven = await provePassword(principal, password);
  const secret = newTotpSecret();
  await inTransaction(async (transaction) => {
    const user = await lockUser(proven, transaction);
    if (user.totpEnabledAt) {
      throw new CodedError('conflict', 'The second factor is on. Switch it off before you set up another app.');
    }
    await user.update({ totpSecret: sealFor('secondFactor', [user.id], secret) }, { transaction });
  });
  return { secret, uri: totpUri(secret, proven.email) };
}
