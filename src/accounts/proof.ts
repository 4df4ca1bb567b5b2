import type { Principal } from '../access/principal.ts';
import { unsealFor } from '../db/sealedColumns.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { CodedError } from '../kernel/errors.ts';
import type { User } from '../models/User.ts';
import { isAccountPassword, provePassword } from './accountPasswords.ts';
import { type Attempt, countAttempts, refundAttempts } from './attempts.ts';
import { recordAccountChange } from './recordAccountChange.ts';
import { stepOfCode, useRecoveryCode } from './secondFactorCodes.ts';
import { lockUser } from './userStore.ts';

/** What proves that a session is used by its person: it may have been left open, or begun with a stolen password. */
export interface Proof {
  password: string;
  /** Of the authenticator app, or a recovery code; needed where a second factor is on. */
  code?: string | null | undefined;
}

/** A person whose password was right; the code counts once `change` runs. */
export interface Proven {
  user: User;
  /**
   * Runs `work` in a transaction, with the row of the person locked and their code used up. `first` runs before the row is
   * locked. Throws `invalid_credentials` for a wrong code, or when the password has changed meanwhile.
   */
  change<Result>(
    work: (user: User, transaction: Transaction) => Promise<Result>,
    first?: (transaction: Transaction) => Promise<void>,
  ): Promise<Result>;
}

/**
 * Checks the password of the signed-in person, and that there is a code where a second factor is on. Throws
 * `invalid_credentials`, `second_factor_required`, `rate_limited`.
 */
export async function proveSelf(principal: Principal, { password, code }: Proof): Promise<Proven> {
  const user = await provePassword(principal, password);
  if (user.totpEnabledAt) refuseMissingCode(code);
  return { user, change: (work, first) => changeWithCode(user, code, { work, first }) };
}

async function changeWithCode<Result>(
  proven: User,
  code: string | null | undefined,
  { work, first }: { work: Parameters<Proven['change']>[0]; first: Parameters<Proven['change']>[1] },
): Promise<Result> {
  const attempt: Attempt = ['secondFactor', proven.id];
  let isRight = false;
  if (proven.totpEnabledAt) await countAttempts(attempt);
  try {
    return await inTransaction(async (transaction) => {
      await first?.(transaction);
      const user = await lockUser(proven, transaction);
      if (user.totpEnabledAt) await useSecondFactor(user, code, transaction);
      isRight = true;
      return (await work(user, transaction)) as Result;
    });
  } finally {
    if (isRight && proven.totpEnabledAt) await refundAttempts(attempt);
  }
}

/**
 * Checks that the person who opened a mailed link is the one who asked for it: the link proves only that they read the mailbox,
 * and would give the address to a stranger who had entered it. They are signed in to the account, or know its password; wrong
 * passwords are counted by the link. Throws `invalid_credentials`, also without a password, and `rate_limited`.
 */
export async function proveAsker(
  principal: Principal,
  user: User,
  { password, tokenHash }: { password?: string | null | undefined; tokenHash: string },
): Promise<void> {
  if (principal.kind === 'session' && principal.userId === user.id) return;
  if (!password) {
    const message =
      'Enter the password of the account, or open the link in a browser that is signed in to it: the link alone does not show that you asked for it.';
    throw new CodedError('invalid_credentials', message);
  }
  const attempt: Attempt = ['provePassword', tokenHash];
  await countAttempts(attempt);
  if (!(await isAccountPassword(user, password))) throw new CodedError('invalid_credentials', 'The password is wrong.');
  await refundAttempts(attempt);
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

export function wrongCode(): CodedError {
  return new CodedError(
    'invalid_credentials',
    'The code is wrong, or was used before. Enter the next code of your app, or another recovery code.',
  );
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
