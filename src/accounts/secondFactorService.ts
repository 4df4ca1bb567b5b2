import { requireSession } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { sealFor, unsealFor } from '../db/sealedColumns.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { now } from '../kernel/clock.ts';
import { CodedError, notFound } from '../kernel/errors.ts';
import { RecoveryCode } from '../models/RecoveryCode.ts';
import { User } from '../models/User.ts';
import { provePassword } from './accountPasswords.ts';
import { countAttempts, refundAttempts } from './attempts.ts';
import { recordAccountChange } from './recordAccountChange.ts';
import { newTotpSecret, replaceRecoveryCodes, stepOfCode, totpUri, useRecoveryCode } from './secondFactorCodes.ts';
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
 * began without a code and may be the very reason to turn it on. Throws `conflict` when it is on or was not begun,
 * `invalid_credentials` for a wrong code, `rate_limited`.
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
    await user.update({ totpEnabledAt: now(), totpStep }, { transaction });
    await endAllSessions(userId, transaction, tokenHash);
    await recordAccountChange(transaction, user, 'account.second_factor_on');
    return replaceRecoveryCodes(user.id, transaction);
  });
  await refundAttempts(['secondFactor', userId]);
  return codes;
}

/** Turns off the second factor. Throws `conflict` when it is not on, `invalid_credentials`, `rate_limited`. */
export function disableSecondFactor(principal: Principal, proof: { password: string; code: string }): Promise<void> {
  return withSecondFactor(principal, proof, async (user, transaction) => {
    await clearSecondFactor(user, transaction);
    await recordAccountChange(transaction, user, 'account.second_factor_off');
  });
}

/** Replaces the recovery codes. Throws `conflict` when no second factor is on, `invalid_credentials`, `rate_limited`. */
export function newRecoveryCodes(principal: Principal, proof: { password: string; code: string }): Promise<string[]> {
  return withSecondFactor(principal, proof, async (user, transaction) => {
    await recordAccountChange(transaction, user, 'account.recovery_codes_made');
    return replaceRecoveryCodes(user.id, transaction);
  });
}

/**
 * Accepts a code of the user's authenticator app, or one of their recovery codes. The user's row must be locked, so that one
 * code cannot be used twice at the same time. Throws `second_factor_required` without a code, `invalid_credentials`.
 */
export async function useSecondFactor(
  user: User,
  code: string | null | undefined,
  transaction: Transaction,
): Promise<void> {
  refuseMissingCode(code);
  const given = code.replace(/[\s-]/g, '').toUpperCase();
  const isRight = /^\d{6}$/.test(given)
    ? await useAppCode(user, given, transaction)
    : await spendRecoveryCode(user, given, transaction);
  if (!isRight) throw wrongCode();
}

/** Throws `second_factor_required` without a code. */
export function refuseMissingCode(code: string | null | undefined): asserts code is string {
  if (code) return;
  const message = 'Enter the code that your authenticator app shows now, or one of your recovery codes.';
  throw new CodedError('second_factor_required', message);
}

/** Removes the second factor of a user, with their recovery codes. */
export async function clearSecondFactor(user: User, transaction: Transaction): Promise<void> {
  await user.update({ totpSecret: null, totpEnabledAt: null, totpStep: 0 }, { transaction });
  await RecoveryCode.destroy({ where: { userId: user.id }, transaction });
}

/**
 * Runs `work` with the locked row of the signed-in person after checking password and code. Throws `conflict` when no second
 * factor is on, `invalid_credentials`, `rate_limited`.
 */
async function withSecondFactor<Result>(
  principal: Principal,
  { password, code }: { password: string; code: string },
  work: (user: User, transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const proven = await provePassword(principal, password);
  if (!proven.totpEnabledAt) throw notOn();
  await countAttempts(['secondFactor', proven.id]);
  const result = await inTransaction(async (transaction) => {
    const user = await lockUser(proven, transaction);
    if (!user.totpEnabledAt) throw notOn();
    await useSecondFactor(user, code, transaction);
    return work(user, transaction);
  });
  await refundAttempts(['secondFactor', proven.id]);
  return result;
}

function notOn(): CodedError {
  return new CodedError('conflict', 'No second factor is on.');
}

function wrongCode(): CodedError {
  return new CodedError('invalid_credentials', 'The code is wrong, or was used before. Wait for the next one.');
}

async function useAppCode(user: User, code: string, transaction: Transaction): Promise<boolean> {
  if (!user.totpSecret) return false;
  const step = stepOfCode(unsealFor('secondFactor', [user.id], user.totpSecret), code, Number(user.totpStep));
  if (step !== null) await user.update({ totpStep: step }, { transaction });
  return step !== null;
}

async function spendRecoveryCode(user: User, code: string, transaction: Transaction): Promise<boolean> {
  const isRight = await useRecoveryCode(user.id, code, transaction);
  if (isRight) await recordAccountChange(transaction, user, 'account.recovery_code_used');
  return isRight;
}
