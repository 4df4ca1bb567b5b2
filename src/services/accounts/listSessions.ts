import { requireSession } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { Op } from '../../db/sequelize.ts';
import { now } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/secrets.ts';
import { Session } from '../../models/Session.ts';

/** A sign-in as its person sees it. */
export interface ShownSession {
  id: string;
  userAgent: string | null;
  isCurrent: boolean;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

/** The sessions of the signed-in person that have not ended, the one used last first. */
export async function listSessions(principal: Principal): Promise<ShownSession[]> {
  const { userId, tokenHash } = requireSession(principal);
  const sessions = await Session.findAll({ where: { userId, expiresAt: { [Op.gt]: now() } } });
  const shown = sessions.map((session) => shownSession(session, tokenHash));
  return shown.sort((one, other) => other.lastUsedAt.getTime() - one.lastUsedAt.getTime());
}

/** Stands for a session where people name it; its token does not follow from it, nor does what is stored of that. */
export function sessionId(tokenHash: string): string {
  return sha256(tokenHash).slice(0, 32);
}

function shownSession({ tokenHash, userAgent, createdAt, lastUsedAt, expiresAt }: Session, current: string) {
  const times = { createdAt, lastUsedAt: lastUsedAt ?? createdAt, expiresAt };
  return { id: sessionId(tokenHash), userAgent, isCurrent: tokenHash === current, ...times };
}
