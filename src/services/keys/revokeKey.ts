import type { Principal } from '../../access/principal.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { announce } from '../../db/announce.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { now } from '../../kernel/clock.ts';
import { notFound } from '../../kernel/errors.ts';
import { ApiKey } from '../../models/ApiKey.ts';
import { findOwned } from '../findOwned.ts';
import { teamOf } from '../projects/teamOf.ts';
import { aboutKey } from './aboutKey.ts';

/** Ends a key at once, in every process; it stays in the list. Throws `not_found`, also when it is revoked already. */
export async function revokeKey(principal: Principal, id: string): Promise<void> {
  const found = await findOwned(ApiKey, principal, 'keys:write', id, 'key');
  await inTransaction(async (transaction) => {
    const where = { id, revokedAt: null };
    const [revoked] = await ApiKey.update({ revokedAt: now() }, { where, transaction });
    if (revoked === 0) throw notFound('key');
    const about = aboutKey(found, await teamOf(found.projectId, transaction));
    await recordAudit(transaction, principal, { ...about, action: 'key.revoked' });
    await announce(transaction, 'key', found.hash);
  });
}
