import type { Principal } from '../../access/principal.ts';
import { expandScopes } from '../../access/scopes.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { announce } from '../../db/announce.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { clock, inSeconds } from '../../kernel/clock.ts';
import { CodedError } from '../../kernel/errors.ts';
import { ApiKey } from '../../models/ApiKey.ts';
import { findOwned } from '../findOwned.ts';
import { teamOf } from '../projects/teamOf.ts';
import { aboutKey } from './aboutKey.ts';
import { insertKey, type ShownKey } from './insertKey.ts';
import { makerOfKey } from './keysOfMember.ts';
import { refuseBroaderScopes } from './refuseBroaderScopes.ts';

/** A day to put the new key everywhere. */
const DEFAULT_SECONDS = 86_400;

/**
 * Replaces a key by one of the same name, kind, scopes and expiry, and ends the old one after `expirePreviousSeconds`,
 * never later than it would have ended. Throws `not_found`, `insufficient_scope`, `conflict` for a key that has ended.
 */
export async function rollKey(
  principal: Principal,
  id: string,
  { expirePreviousSeconds = DEFAULT_SECONDS }: { expirePreviousSeconds?: number },
): Promise<ShownKey> {
  const found = await findOwned(ApiKey, principal, 'keys:write', id, 'key');
  refuseBroaderScopes(principal, expandScopes(found.scopes));
  return inTransaction(async (transaction) => {
    const team = await teamOf(found.projectId, transaction);
    const maker = await makerOfKey(principal, team.teamId, transaction);
    const previous = await ApiKey.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE, rejectOnEmpty: true });
    refuseEnded(previous);
    const { projectId, name, kind, scopes, expiresAt } = previous;
    const next = await insertKey({ projectId, name, kind, scopes, expiresAt, ...maker }, transaction);
    const end = inSeconds(expirePreviousSeconds);
    if (!expiresAt || end < expiresAt) await previous.update({ expiresAt: end }, { transaction });
    const about = aboutKey(previous, team);
    const details = { replaced_by: next.id, previous_expires_at: previous.expiresAt };
    await recordAudit(transaction, principal, { ...about, action: 'key.rolled', details });
    await announce(transaction, 'key', previous.hash);
    return next;
  });
}

function refuseEnded({ revokedAt, endsAt }: ApiKey): void {
  const how = revokedAt ? 'was revoked' : endsAt && endsAt.getTime() <= clock.now() ? 'has ended' : null;
  if (how) throw new CodedError('conflict', `The key ${how}; make a new one.`);
}
