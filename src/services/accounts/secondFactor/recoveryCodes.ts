import { randomBytes } from 'node:crypto';
import type { Transaction } from '../../../db/sequelize.ts';
import { sha256 } from '../../../kernel/secrets.ts';
import { RecoveryCode } from '../../../models/RecoveryCode.ts';

const CODES = 10;
/** 32 signs, none of which is taken for another; 20 of them are 100 bits, too many to guess from a bare hash. */
const SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 20;

/** Gives a person new codes in place of those they have. They are shown once. */
export async function replaceRecoveryCodes(userId: string, transaction: Transaction): Promise<string[]> {
  await RecoveryCode.destroy({ where: { userId }, transaction });
  const codes = Array.from({ length: CODES }, newCode);
  await RecoveryCode.bulkCreate(
    codes.map((code) => ({ userId, codeHash: sha256(code) })),
    { transaction },
  );
  return codes.map((code) => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`);
}

/** Uses a code up; whether there was one. `code` has neither dashes nor spaces. */
export async function useRecoveryCode(userId: string, code: string, transaction: Transaction): Promise<boolean> {
  return (await RecoveryCode.destroy({ where: { userId, codeHash: sha256(code) }, transaction })) > 0;
}

/** How many a person has left. */
export function countRecoveryCodes(userId: string): Promise<number> {
  return RecoveryCode.count({ where: { userId } });
}

function newCode(): string {
  return Array.from(randomBytes(LENGTH), (byte) => SIGNS[byte % SIGNS.length]).join('');
}
