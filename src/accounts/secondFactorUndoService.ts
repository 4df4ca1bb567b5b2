import { personPrincipal } from '../access/principal.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock, DAY_MS, now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { CodedError } from '../kernel/errors.ts';
import { randomToken, sha256 } from '../kernel/secrets.ts';
import { isMailConfigured, queueMails, writeMail } from '../mail/mailQueue.ts';
import { EmailChange } from '../models/EmailChange.ts';
import { PasswordReset } from '../models/PasswordReset.ts';
import { SecondFactorUndo } from '../models/SecondFactorUndo.ts';
import { User } from '../models/User.ts';
import { accountPage } from './accountPage.ts';
import { recordInTeams } from './recordAccountChange.ts';
import { clearSecondFactorSince } from './secondFactorCodes.ts';
import { endAllSessions } from './sessionService.ts';

/**
 * Removes the second factor that was switched on with the mail of that token, and every one since: somebody who learned the
 * password would otherwise keep its owner out for good. Needs neither session nor password, because the intruder has both. Ends
 * every session, and voids pending changes of the e-mail, mailed links for new passwords, and the links that undo later second
 * factors. Throws `invalid_token`.
 */
export async function undoSecondFactor(token: string): Promise<void> {
  const where = { tokenHash: sha256(token), expiresAt: { [Op.gt]: now() } };
  await inTransaction(async (transaction) => {
    const undo = await SecondFactorUndo.findOne({ where, transaction });
    const user = undo && (await User.findByPk(undo.userId, { transaction, lock: transaction.LOCK.UPDATE }));
    // Deleted after the user is locked, because another link may have voided the token meanwhile.
    if (!user || (await SecondFactorUndo.destroy({ where, transaction })) === 0) throw invalidLink();
    const { id: userId, email: address, deletionAt } = user;
    await clearSecondFactorSince(undo.enabledAt, user, transaction);
    await EmailChange.destroy({ where: { userId, changedAt: null }, transaction });
    await PasswordReset.destroy({ where: { userId }, transaction });
    await endAllSessions(userId, transaction);
    await recordInTeams(transaction, user, {
      action: 'account.second_factor_undone',
      actor: personPrincipal(userId),
    });
    const recipient = { address, reference: `${referenceOf(undo)}:undone` };
    await queueMails(transaction, [writeMail('second_factor_undone', recipient, { deletionAt })]);
  });
}

/**
 * When a second factor is switched on now: later than every change that a mailed link undoes with all that came after it,
 * whatever the clocks of the processes say.
 */
export async function timeOfSecondFactor({ id: userId }: User, transaction: Transaction): Promise<Date> {
  const where = { userId };
  const factor = await SecondFactorUndo.findOne({ where, order: [['enabledAt', 'DESC']], transaction });
  const made = { ...where, changedAt: { [Op.ne]: null } };
  const change = await EmailChange.findOne({ where: made, order: [['changedAt', 'DESC']], transaction });
  const latest = Math.max(factor?.enabledAt.getTime() ?? 0, change?.changedAt?.getTime() ?? 0);
  return new Date(Math.max(clock.now(), latest + 1));
}

/** Records that the user has switched a second factor on, and mails them the link that undoes it. */
export async function recordSecondFactorOn(user: User, enabledAt: Date, transaction: Transaction): Promise<void> {
  const { id: userId, email: address } = user;
  await recordInTeams(transaction, user, { action: 'account.second_factor_on', actor: personPrincipal(userId) });
  if (!isMailConfigured()) return;
  const token = randomToken(32);
  const undoUntil = new Date(clock.now() + config.emailUndoDays * DAY_MS);
  const row = { tokenHash: sha256(token), userId, enabledAt, expiresAt: undoUntil, createdAt: now() };
  const undo = await SecondFactorUndo.create(row, { transaction });
  const facts = { url: accountPage('undo-second-factor', token), undoUntil };
  await queueMails(transaction, [writeMail('second_factor_on', { address, reference: referenceOf(undo) }, facts)]);
}

/** The latest moment until which a mailed link can undo a second factor of the user; null without one. */
export async function endOfSecondFactorUndo(userId: string, transaction: Transaction): Promise<Date | null> {
  const where = { userId, expiresAt: { [Op.gt]: now() } };
  const last = await SecondFactorUndo.findOne({ where, order: [['expiresAt', 'DESC']], transaction });
  return last?.expiresAt ?? null;
}

/** Names a link without revealing its token. */
function referenceOf({ tokenHash }: SecondFactorUndo): string {
  return `second_factor:${sha256(tokenHash).slice(0, 32)}`;
}

function invalidLink(): CodedError {
  return new CodedError('invalid_token', 'This link was used before or replaced, or has expired.');
}
