import type { Principal } from '../../access/principal.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { CodedError } from '../../kernel/errors.ts';
import { Import } from '../../models/Import.ts';
import { Project } from '../../models/Project.ts';
import { aboutImport } from './aboutImport.ts';
import { endImport } from './endImport.ts';
import { findImport } from './listImports.ts';

/**
 * Stops an import after the rows that are in hand; what has landed stays. Safe to repeat. Throws `not_found`, and
 * `conflict` for one that has ended otherwise.
 */
export async function cancelImport(principal: Principal, id: string): Promise<Import> {
  const found = await findImport(principal, id, 'links:write');
  const project = await Project.findByPk(found.projectId, { rejectOnEmpty: true });
  return inTransaction(async (transaction) => {
    const current = await Import.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE, rejectOnEmpty: true });
    if (current.status === 'cancelled') return current;
    if (current.finishedAt) throw new CodedError('conflict', `The import has ${WORDS[current.status]} already.`);
    await endImport(project, current, { status: 'cancelled' }, transaction);
    const { batchId, created, updated, skipped, failed } = current;
    const details = { batch_id: batchId, counts: { created, updated, skipped, failed } };
    await recordAudit(transaction, principal, {
      ...aboutImport(project, current),
      action: 'import.cancelled',
      details,
    });
    return current;
  });
}

const WORDS: Record<string, string> = { finished: 'finished', failed: 'failed' };
