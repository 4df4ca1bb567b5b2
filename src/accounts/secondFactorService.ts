import { requireSession } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { sealFor, unsealFor } from '../db/sealedColumns.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { CodedError, notFound } from '../kernel/errors.ts';
import { User } from '../models/User.ts';
import { provePassword } from './accountPasswords.ts';
import { countAttempts, refundAttempts } from './attempts.ts';
import { type Proof, proveSelf, wrongCode } from './proof.ts';
import { recordAccountChange } from './recordAccountChange.ts';
import { clearSecondFactor, newTotpSecret, replaceRecoveryCodes, stepOfCode, totpUri } from './secondFactorCodes.ts';
import { recordSecondFactorOn, timeOfSecondFactor } from './secondFactorUndoService.ts';
import { endAllSessions } from './sessionService.ts';
import { lockUser } from './userStore.ts';

/** A secret for an authenticator app, as text and as the URI of a QR code. */
export interface SecondFactorSetup {
  secret: string;
  uri: string;
}

/**
 * Returns a new secret for the person's authenticator app. Signing in needs no code until `confirmSecondFactor` has received
 * one. Throws `conflict` when the second factor is on, `invalid_credentials`, `rate_limited`.
 */
export async function beginSecondFactor(principal: Principal, password: string): Promise<SecondFactorSetup> {
  const proven = await provePassword(principal, password);
  const secret = newTotpSecret();
  await inTransaction(async (transaction) => {
    const user = await lockUser(proven, transaction);
    if (user.totpEnabledAt) {
      throw new CodedError('conflict', 'The second factor is on. Turn it off before you set up another app.');
    }
    await user.update({ totpSecret: sealFor('secondFactor', [user.id], secret) }, { transaction });
  });
  return { secret, uri: totpUri(secret, proven.email) };
}

/**
 * Turns on the second factor with the first code of the app and returns the recovery codes. Other sessions end, because they
 * began without a code and may be the very reason to turn it on; a mailed link undoes it. Throws `conflict` when it is on or was
 * not begun, `invalid_credentials` for a wrong code, `rate_limited`.
 */
export async function confirmSecondFactor(principal: Principal, code: string): Promise<string[]> {
  const { userId, tokenHash } = requireSession(principal);
  await countAttempts(['secondFactor', userId]);
  const codes = await inTransaction(async (transaction) => {
    const user = await User.findByPk(userId, { transaction, lock: transaction.LOCK.UPDATE });
    if (!user) throw notFound('user');
    if (user.totpEnabledAt) throw new CodedError('conflict', 'The second factor is on already.');
    if (!user.totpSecret) throw new CodedError('conflict', 'Call beginSecondFactor first, which returns the secret.');
    const totpStep = stepOfCode(unsealFor('secondFactor', [user.id], user.totpSecret), code.replace(/\s/g, ''), 0);
    if (totpStep === null) throw wrongCode();
    const totpEnabledAt = await timeOfSecondFactor(user, transaction);
    await user.update({ totpEnabledAt, totpStep }, { transaction });
    await endAllSessions(userId, transaction, tokenHash);
    await recordSecondFactorOn(user, totpEnabledAt, transaction);
    return replaceRecoveryCodes(user.id, transaction);
  });
  await refundAttempts(['secondFactor', userId]);
  return codes;
}

/** Turns off the second factor. Throws `conflict` when it is not on, `invalid_credentials`, `rate_limited`. */
export function disableSecondFactor(principal: Principal, proof: Proof): Promise<void> {
  return withSecondFactor(principal, proof, async (user, transaction) => {
    await clearSecondFactor(user, transaction);
    await recordAccountChange(transaction, user, 'account.second_factor_off');
  });
}

/** Replaces the recovery codes. Throws `conflict` when no second factor is on, `invalid_credentials`, `rate_limited`. */
export function newRecoveryCodes(principal: Principal, proof: Proof): Promise<string[]> {
  return withSecondFactor(principal, proof, async (user, transaction) => {
    await recordAccountChange(transaction, user, 'account.recovery_codes_made');
    return replaceRecoveryCodes(user.id, transaction);
  });
}

/** `proveSelf` and `change` for a person with a second factor. Throws what they throw, and `conflict` when it is not on. */
async function withSecondFactor<Result>(
  principal: Principal,
  proof: Proof,
  work: (user: User, transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const proven = await proveSelf(principal, proof);
  if (!proven.user.totpEnabledAt) throw notOn();
  return proven.change((user, transaction) => {
    if (!user.totpEnabledAt) throw notOn();
    return work(user, transaction);
  });
}

function notOn(): CodedError {
  return new CodedError('conflict', 'No second factor is on.');
}
