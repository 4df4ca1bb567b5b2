import type { Transaction } from '../../db/sequelize.ts';
import { inSeconds, now } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { randomToken, sha256 } from '../../kernel/secrets.ts';
import { PasswordReset } from '../../models/PasswordReset.ts';
import { accountPage } from './accountPage.ts';

/** A link with which that user sets a new password, once. `reference` names it without giving it away. */
export async function newResetLink(
  userId: string,
  transaction: Transaction,
): Promise<{ url: string; expiresAt: Date; reference: string }> {
  const token = randomToken(32);
  const expiresAt = inSeconds(config.passwordResetSeconds);
  const row = { tokenHash: sha256(token), userId, expiresAt, createdAt: now() };
  await PasswordReset.create(row, { transaction });
  const url = accountPage('reset-password', token);
  return { url, expiresAt, reference: `password_reset:${sha256(row.tokenHash).slice(0, 32)}` };
}
