import { requireSession } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { notFound } from '../../kernel/errors.ts';
import { Session } from '../../models/Session.ts';
import { sessionId } from './listSessions.ts';
import { endSession } from './sessions.ts';

/** Ends one session of the signed-in person, this one too; whether it was this one. Throws `not_found`. */
export async function endSessionById(principal: Principal, id: string): Promise<{ wasCurrent: boolean }> {
  const { userId, tokenHash } = requireSession(principal);
  const session = (await Session.findAll({ where: { userId } })).find((one) => sessionId(one.tokenHash) === id);
  if (!session) throw notFound('session');
  await endSession(session.tokenHash);
  return { wasCurrent: session.tokenHash === tokenHash };
}
