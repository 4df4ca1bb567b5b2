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

/** Tells receivers of the batch, also when all of it failed, and gives its outcome. */
export async function finishBulk(
  project: Project,
  { batchId, action, results }: Batch,
  transaction: Transaction,
): Promise<BulkOutcome> {
  const links = results.filter((result) => result instanceof Link);
  const failed = results.length - links.length;
  await recordEvent(transaction, {
    type: 'links.imported',
    teamId: project.teamId,
    projectId: project.id,
    data: PRESENTERS['links.imported']({
      batchId,
      source: 'bulk',
      action,
      counts: COUNTS[action](links.length, failed),
      linkIds: links.map((link) => link.id),
    }),
  });
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
