import { inTransaction } from '../../db/inTransaction.ts';
import { changeFlag, lockLink } from './changeFlag.ts';

/** A review found that the scan's flag stands, for this reason. */
export async function keepFlag(linkId: string, reason: string): Promise<void> {
  await inTransaction(async (transaction) => {
    const link = await lockLink(linkId, transaction);
    if (link?.flaggedBy !== 'scan') return;
    await changeFlag(link, { flagReason: reason, reviewRequestedAt: null }, transaction);
  });
}
