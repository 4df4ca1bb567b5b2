import { requireSession } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { endAllSessions } from './sessions.ts';

/** Ends every other session of the signed-in person, and with `isThisToo` the present one. */
export async function signOutEverywhere(principal: Principal, isThisToo: boolean): Promise<void> {
  const { userId, tokenHash } = requireSession(principal);
  await inTransaction((transaction) => endAllSessions(userId, transaction, isThisToo ? '' : tokenHash));
}
