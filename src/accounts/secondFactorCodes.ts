import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { Op, type Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { baseHost } from '../kernel/origins.ts';
import { sha256 } from '../kernel/secrets.ts';
import { RecoveryCode } from '../models/RecoveryCode.ts';
import { SecondFactorUndo } from '../models/SecondFactorUndo.ts';
import type { User } from '../models/User.ts';

const PERIOD_SECONDS = 30;
/** Steps by which a phone's clock may be fast or slow. */
const WINDOW = 1;

const RECOVERY_CODES = 10;
/** 32 characters that are not mistaken for each other; 20 of them are 100 bits, too many to guess from a plain hash. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 20;

/** A new secret for an authenticator app, in base32; 160 bits, as RFC 4226 recommends. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The otpauth:// URI that authenticator apps read from a QR code. */
export function totpUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/**
 * The time step of a code, if the code is valid now and later than the last step that was used, because each code is good
 * once; null otherwise. A last step in the future was written before the clock was set back, and is ignored.
 */
export function stepOfCode(secret: string, code: string, lastStep: number): number | null {
  const delta = totpOf(secret, '').validate({ token: code, timestamp: clock.now(), window: WINDOW });
  if (delta === null) return null;
  const present = Math.floor(clock.now() / 1000 / PERIOD_SECONDS);
  const step = present + delta;
  return step > lastStep || lastStep > present + WINDOW ? step : null;
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({ issuer: baseHost(), label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });
}

/** Replaces the recovery codes of a person and returns the new ones, which are shown once. */
export async function replaceRecoveryCodes(userId: string, transaction: Transaction): Promise<string[]> {
  await RecoveryCode.destroy({ where: { userId }, transaction });
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  await RecoveryCode.bulkCreate(
    codes.map((code) => ({ userId, codeHash: sha256(code) })),
    { transaction },
  );
  return codes.map((code) => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`);
}

/** Deletes a recovery code and returns whether it existed. `code` has neither dashes nor spaces. */
export async function useRecoveryCode(userId: string, code: string, transaction: Transaction): Promise<boolean> {
  return (await RecoveryCode.destroy({ where: { userId, codeHash: sha256(code) }, transaction })) > 0;
}

/** The number of recovery codes that a person has left. */
export function countRecoveryCodes(userId: string): Promise<number> {
  return RecoveryCode.count({ where: { userId } });
}

/** Removes the second factor of a user, with their recovery codes. */
export async function clearSecondFactor(user: User, transaction: Transaction): Promise<void> {
  await user.update({ totpSecret: null, totpEnabledAt: null, totpStep: 0 }, { transaction });
  await RecoveryCode.destroy({ where: { userId: user.id }, transaction });
}

/**
 * Removes the second factor of a locked user if it was switched on at that moment or later, or waits to be, and voids the links
 * that undo those since.
 */
export async function clearSecondFactorSince(since: Date, user: User, transaction: Transaction): Promise<void> {
  if (!user.totpEnabledAt || user.totpEnabledAt >= since) await clearSecondFactor(user, transaction);
  const where = { userId: user.id, enabledAt: { [Op.gte]: since } };
  await SecondFactorUndo.destroy({ where, transaction });
}

function newCode(): string {
  return Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
