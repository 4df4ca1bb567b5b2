import type { SessionPrincipal } from '../../access/principal.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { selectBound } from '../../db/selectBound.ts';
import { Op, type Transaction } from '../../db/sequelize.ts';
import { inSeconds, now } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { randomToken, sha256 } from '../../kernel/secrets.ts';
import { Membership } from '../../models/Membership.ts';
import { Session } from '../../models/Session.ts';
import { User } from '../../models/User.ts';
import { describeAgent } from './describeAgent.ts';
import { noteSessionUse } from './noteSessionUse.ts';

/** More than a person has browsers: the oldest ends when there are more, so that their list stays one. */
const MOST_OF_A_PERSON = 100;

/** Begins a session and gives its token, of which only the hash is stored. */
export async function beginSession(
  userId: string,
  userAgent: string | undefined,
  transaction: Transaction,
): Promise<string> {
  const token = randomToken(32);
  await Session.destroy({ where: { userId, expiresAt: { [Op.lt]: now() } }, transaction });
  await endOldest(userId, transaction);
  const times = { expiresAt: inSeconds(config.sessionSeconds), lastUsedAt: now(), createdAt: now() };
  const row = { tokenHash: sha256(token), userId, userAgent: describeAgent(userAgent), ...times };
  await Session.create(row, { transaction });
  return token;
}

/** Who holds that session token; null when it is unknown or has ended. */
export async function sessionPrincipal(token: string): Promise<SessionPrincipal | null> {
  const tokenHash = sha256(token);
  const session = await Session.findOne({ where: { tokenHash, expiresAt: { [Op.gt]: now() } } });
  if (!session) return null;
  noteSessionUse(session);
  const memberships = await Membership.findAll({ where: { userId: session.userId } });
  const roles = new Map(memberships.map(({ teamId, role }) => [teamId, role]));
  // Who has to confirm their e-mail belongs to no team: all others are not asked about.
  const waiting = { id: session.userId, pendingEmail: { [Op.ne]: null } };
  const isPending = roles.size === 0 && (await User.count({ where: waiting })) > 0;
  return { kind: 'session', userId: session.userId, tokenHash, roles, isPending };
}

export async function endSession(tokenHash: string): Promise<void> {
  await inTransaction((transaction) => Session.destroy({ where: { tokenHash }, transaction }));
}

/** Signs a user out everywhere, or with `exceptHash` everywhere else. */
export async function endAllSessions(userId: string, transaction: Transaction, exceptHash = ''): Promise<void> {
  await Session.destroy({ where: { userId, tokenHash: { [Op.ne]: exceptHash } }, transaction });
}

async function endOldest(userId: string, transaction: Transaction): Promise<void> {
  await selectBound(
    `DELETE FROM sessions WHERE token_hash IN (SELECT token_hash FROM sessions WHERE user_id = $1
       ORDER BY created_at DESC, token_hash LIMIT 1000 OFFSET ${MOST_OF_A_PERSON - 1})`,
    [userId],
    transaction,
  );
}
