import { unsealFor } from '../../../db/sealedColumns.ts';
import type { Transaction } from '../../../db/sequelize.ts';
import { CodedError } from '../../../kernel/errors.ts';
import type { User } from '../../../models/User.ts';
import { noteAccountChange } from '../noteAccountChange.ts';
import { useRecoveryCode } from './recoveryCodes.ts';
import { stepOfCode } from './totp.ts';

/**
 * Uses a code of the person's authenticator app, or one of their recovery codes, whose row is locked: of two who bring the
 * same code at once one is let in. Throws `second_factor_required` without a code, `invalid_credentials`.
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
    : await useUpRecoveryCode(user, given, transaction);
  if (!isRight) throw wrongCode();
}

/** Throws `second_factor_required`. */
export function refuseMissingCode(code: string | null | undefined): asserts code is string {
  if (code) return;
  const message = 'Give the code that your authenticator app shows now, or one of your recovery codes.';
  throw new CodedError('second_factor_required', message);
}

export function wrongCode(): CodedError {
  return new CodedError('invalid_credentials', 'The code is wrong, or was used before. Wait for the next one.');
}

async function useAppCode(user: User, code: string, transaction: Transaction): Promise<boolean> {
  if (!user.totpSecret) return false;
  const step = stepOfCode(unsealFor('secondFactor', [user.id], user.totpSecret), code, Number(user.totpStep));
  if (step !== null) await user.update({ totpStep: step }, { transaction });
  return step !== null;
}

async function useUpRecoveryCode(user: User, code: string, transaction: Transaction): Promise<boolean> {
  const isRight = await useRecoveryCode(user.id, code, transaction);
  if (isRight) await noteAccountChange(transaction, user, 'account.recovery_code_used');
  return isRight;
}
