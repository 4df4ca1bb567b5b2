import type { Principal } from '../../access/principal.ts';
import { announce } from '../../db/announce.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { now } from '../../kernel/clock.ts';
import { notFound } from '../../kernel/errors.ts';
import { ApiKey } from '../../models/ApiKey.ts';
import { findOwned } from '../findOwned.ts';

/** Ends a key at once, in every process; it stays in the list. Throws `not_found`, also when it is revoked already. */
export async function revokeKey(principal: Principal, id: string): Promise<void> {
  const { hash } = await findOwned(ApiKey, principal, 'keys:write', id, 'key');
  await inTransaction(async (transaction) => {
    const where = { id, revokedAt: null };
    const [revoked] = await ApiKey.update({ revokedAt: now() }, { where, transaction });
    if (revoked === 0) throw notFound('key');
    await announce(transaction, 'key', hash);
  });
}
