import { requireSession } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { announce } from '../../db/announce.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { clock } from '../../kernel/clock.ts';
import { CodedError } from '../../kernel/errors.ts';
import { ApiKey } from '../../models/ApiKey.ts';
import { findOwned } from '../findOwned.ts';
import { teamOf } from '../projects/teamOf.ts';
import { aboutKey } from './aboutKey.ts';
import { makerOfKey } from './keysOfMember.ts';

/**
 * Lets a key go on whose maker has left the team; it is the signed-in person's from now on. Never a key's own doing: it
 * would keep itself. Throws `not_found`, `insufficient_scope`, and `conflict` for a key that nobody is about to end, or
 * that has ended.
 */
export async function keepKey(principal: Principal, id: string): Promise<ApiKey> {
  requireSession(principal);
  const found = await findOwned(ApiKey, principal, 'keys:write', id, 'key');
  return inTransaction(async (transaction) => {
    const team = await teamOf(found.projectId, transaction);
    const { createdBy } = await makerOfKey(principal, team.teamId, transaction);
    const key = await ApiKey.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE, rejectOnEmpty: true });
    if (key.endsAt && key.endsAt.getTime() <= clock.now()) {
      throw new CodedError('conflict', 'The key has ended; make a new one.');
    }
    if (!key.revokeAt) throw new CodedError('conflict', 'Nothing is about to end this key.');
    await key.update({ revokeAt: null, createdBy }, { transaction });
    await recordAudit(transaction, principal, { ...aboutKey(key, team), action: 'key.kept' });
    await announce(transaction, 'key', key.hash);
    return key;
  });
}
