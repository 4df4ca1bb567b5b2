import { authorizeProject } from '../../../access/authorize.ts';
import type { Principal } from '../../../access/principal.ts';
import { takeRows } from '../../../access/quotas/quotas.ts';
import { inTransaction } from '../../../db/inTransaction.ts';
import { newId } from '../../../kernel/ids.ts';
import { deleteLinks } from '../deleteLinks.ts';
import { type BulkOutcome, finishBulk } from './finishBulk.ts';
import { linksByReference } from './linksByReference.ts';

/** Deletes many links; those that do not exist, or stand twice in the list, fail with `not_found`. */
export async function bulkDeleteLinks(
  principal: Principal,
  { projectId, ids }: { projectId: string; ids: string[] },
): Promise<BulkOutcome> {
  const project = await authorizeProject(principal, 'links:write', projectId);
  await takeRows(principal, ids.length);
  const found = await linksByReference(project, ids);
  return inTransaction(async (transaction) => {
    const results = await deleteLinks(
      project,
      found.map((link, index) => link?.id ?? (ids[index] as string)),
      transaction,
    );
    return finishBulk(project, { principal, batchId: newId('bat'), action: 'delete', results }, transaction);
  });
}
