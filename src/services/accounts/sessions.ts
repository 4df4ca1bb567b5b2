import type { SessionPrincipal } from '../../access/principal.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { Op, type Transaction } from '../../db/sequelize.ts';
import { inSeconds, now } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { randomToken, sha256 } from '../../kernel/secrets.ts';
import { Membership } from '../../models/Membership.ts';
import { Session } from '../../models/Session.ts';

/** Begins a session and gives its token, of which only the hash is stored. */
export async function beginSession(userId: string): Promise<string> {
  const token = randomToken(32);
  await inTransaction(async (transaction) => {
    await Session.destroy({ where: { userId, expiresAt: { [Op.lt]: now() } }, transaction });
    const expiresAt = inSeconds(config.sessionSeconds);
    await Session.create({ tokenHash: sha256(token), userId, expiresAt }, { transaction });
  });
  return token;
}

/** Who holds that session token; null when it is unknown or has ended. */
export async function sessionPrincipal(token: string): Promise<SessionPrincipal | null> {
  const tokenHash = sha256(token);
  const session = await Session.findOne({ where: { tokenHash, expiresAt: { [Op.gt]: now() } } });
  if (!session) return null;
  const memberships = await Membership.findAll({ where: { userId: session.userId } });
  const roles = new Map(memberships.map(({ teamId, role }) => [teamId, role]));
  return { kind: 'session', userId: session.userId, tokenHash, roles };
}

export async function endSession(tokenHash: string): Promise<void> {
  await inTransaction((transaction) => Session.destroy({ where: { tokenHash }, transaction }));
}

/** Signs a user out everywhere. */
export async function endAllSessions(userId: string, transaction: Transaction): Promise<void> {
  await Session.destroy({ where: { userId }, transaction });
}
