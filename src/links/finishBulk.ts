import type { Principal } from '../access/principal.ts';
import type { AuditAction } from '../audit/actions.ts';
import { recordAudit } from '../audit/recordAudit.ts';
import type { Transaction } from '../db/sequelize.ts';
import { PRESENTERS } from '../events/presenters.ts';
import type { BatchAction, BatchCounts } from '../events/presentLink.ts';
import { recordEvent } from '../events/recordEvent.ts';
import { CodedError } from '../kernel/errors.ts';
import type { Link } from '../models/Link.ts';
import type { Project } from '../models/Project.ts';

/** What became of one link of a list that did not fail. */
export type BulkStatus = 'created' | 'updated' | 'unchanged' | 'deleted';

/** The outcome of a bulk call; `results` are in the order of its list. */
export interface BulkOutcome {
  batchId: string;
  counts: BatchCounts;
  results: BulkResult[];
}

interface BulkResult {
  index: number;
  status: BulkStatus | 'failed';
  link: Link | null;
  error: CodedError | null;
}

/** A row of a list: the link with what became of it, or why it failed. */
export type BulkRow = { status: BulkStatus; link: Link } | CodedError;

interface Batch {
  principal: Principal;
  batchId: string;
  action: BatchAction;
  results: BulkRow[];
}

/** What each action counts in its event and its answer, besides what failed. */
const COUNTED: Record<BatchAction, readonly BulkStatus[]> = {
  create: ['created'],
  update: ['updated'],
  upsert: ['created', 'updated', 'unchanged'],
  delete: ['deleted'],
};

const AUDIT_ACTIONS: Record<BatchAction, AuditAction> = {
  create: 'links.created_in_bulk',
  update: 'links.updated_in_bulk',
  upsert: 'links.upserted_in_bulk',
  delete: 'links.deleted_in_bulk',
};

/**
 * Records the batch as one event, even if every link failed, and as one audit entry. A batch that found every link as it
 * should be records nothing. Returns its outcome.
 */
export async function finishBulk(
  project: Project,
  { principal, batchId, action, results }: Batch,
  transaction: Transaction,
): Promise<BulkOutcome> {
  const done = results.filter((result) => !(result instanceof CodedError));
  const failed = results.length - done.length;
  const numbers = COUNTED[action].map((status) => [status, done.filter((one) => one.status === status).length]);
  const counts = { ...Object.fromEntries(numbers), failed } as BatchCounts;
  const written = done.filter(({ status }) => status !== 'unchanged').map(({ link }) => link.id);
  const owner = { teamId: project.teamId, projectId: project.id };
  if (written.length > 0 || failed > 0) {
    const data = PRESENTERS['links.imported']({ batchId, source: 'bulk', action, counts, linkIds: written });
    await recordEvent(transaction, { type: 'links.imported', ...owner, data });
  }
  if (written.length > 0) {
    const details = { batch_id: batchId, counts };
    await recordAudit(transaction, principal, { ...owner, action: AUDIT_ACTIONS[action], subjectId: batchId, details });
  }
  return { batchId, counts, results: results.map(shown) };
}

function shown(row: BulkRow, index: number): BulkResult {
  if (row instanceof CodedError) return { index, status: 'failed', link: null, error: row };
  return { index, ...row, error: null };
}
