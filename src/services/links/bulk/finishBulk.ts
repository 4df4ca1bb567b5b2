import type { Principal } from '../../../access/principal.ts';
import type { AuditAction } from '../../../audit/actions.ts';
import { recordAudit } from '../../../audit/recordAudit.ts';
import type { Transaction } from '../../../db/sequelize.ts';
import type { BatchCounts } from '../../../events/presentBatch.ts';
import { PRESENTERS } from '../../../events/presenters.ts';
import { recordEvent } from '../../../events/recordEvent.ts';
import { CodedError } from '../../../kernel/errors.ts';
import { Link } from '../../../models/Link.ts';
import type { Project } from '../../../models/Project.ts';

export type BulkAction = 'create' | 'update' | 'delete';

/** What a bulk call did, in the order of its list. */
export interface BulkOutcome {
  batchId: string;
  done: number;
  failed: number;
  results: BulkResult[];
}

export interface BulkResult {
  index: number;
  link: Link | null;
  error: CodedError | null;
}

interface Batch {
  principal: Principal;
  batchId: string;
  action: BulkAction;
  results: (Link | CodedError)[];
}

/** What the answer of the call says too. */
const COUNTS: Record<BulkAction, (done: number, failed: number) => BatchCounts> = {
  create: (created, failed) => ({ created, failed }),
  update: (updated, failed) => ({ updated, failed }),
  delete: (deleted, failed) => ({ deleted, failed }),
};

const AUDITED: Record<BulkAction, AuditAction> = {
  create: 'links.created_in_bulk',
  update: 'links.updated_in_bulk',
  delete: 'links.deleted_in_bulk',
};

/** Tells receivers of the batch, also when all of it failed, notes it as one, and gives its outcome. */
export async function finishBulk(
  project: Project,
  { principal, batchId, action, results }: Batch,
  transaction: Transaction,
): Promise<BulkOutcome> {
  const links = results.filter((result) => result instanceof Link);
  const failed = results.length - links.length;
  const counts = COUNTS[action](links.length, failed);
  const owner = { teamId: project.teamId, projectId: project.id };
  await recordEvent(transaction, {
    type: 'links.imported',
    ...owner,
    data: PRESENTERS['links.imported']({
      batchId,
      source: 'bulk',
      action,
      counts,
      linkIds: links.map((link) => link.id),
    }),
  });
  if (links.length > 0) {
    const details = { batch_id: batchId, counts };
    await recordAudit(transaction, principal, { ...owner, action: AUDITED[action], subjectId: batchId, details });
  }
  return {
    batchId,
    done: links.length,
    failed,
    results: results.map((result, index) => ({
      index,
      link: result instanceof Link ? result : null,
      error: result instanceof CodedError ? result : null,
    })),
  };
}
