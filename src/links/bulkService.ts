import { authorizeProject } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { consumeRows } from '../access/quotas.ts';
import type { AuditAction } from '../audit/actions.ts';
import { recordAudit } from '../audit/recordAudit.ts';
import { type Transaction, UniqueConstraintError } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { PRESENTERS } from '../events/presenters.ts';
import type { BatchCounts } from '../events/presentLink.ts';
import { recordEvent } from '../events/recordEvent.ts';
import { CodedError, notFound, validationFailed } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { mapYielding } from '../kernel/yield.ts';
import { Link } from '../models/Link.ts';
import type { Project } from '../models/Project.ts';
import { changeLinks } from './changeLinks.ts';
import { insertLinks } from './createLinks.ts';
import { deleteLinks } from './deleteLinks.ts';
import { type LinkChange, type LinkRow, type LinkRules, type ParsedRow, parseLinkRow } from './linkInput.ts';
import { refuseManyPasswords } from './linkPasswords.ts';
import { externalLink } from './linkReferences.ts';
import { linksByExternalIds, linksByIds } from './linkStore.ts';
import { type PreparedChange, type PreparedLink, prepareChanges, prepareLinks } from './prepareLinks.ts';

export type { LinkRow, LinkRules, ParsedRow };

/** How often a list is changed again because another call took one of its new addresses between check and write. */
const MAX_UPDATE_ATTEMPTS = 3;

type BulkAction = 'create' | 'update' | 'delete';

/** The outcome of a bulk call; `results` are in the order of its list. */
export interface BulkOutcome {
  batchId: string;
  done: number;
  failed: number;
  results: BulkResult[];
}

interface BulkResult {
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

/** The counts of the event and of the answer. */
const COUNTS: Record<BulkAction, (done: number, failed: number) => BatchCounts> = {
  create: (created, failed) => ({ created, failed }),
  update: (updated, failed) => ({ updated, failed }),
  delete: (deleted, failed) => ({ deleted, failed }),
};

const AUDIT_ACTIONS: Record<BulkAction, AuditAction> = {
  create: 'links.created_in_bulk',
  update: 'links.updated_in_bulk',
  delete: 'links.deleted_in_bulk',
};

/**
 * Creates the links of a list, each by the rules of a single creation; one that is refused fails alone. The batch has one
 * event instead of one for each link.
 */
export async function bulkCreateLinks(
  principal: Principal,
  { projectId, links }: { projectId: string; links: LinkRow[] },
): Promise<BulkOutcome> {
  const project = await authorizeProject(principal, 'links:write', projectId);
  refuseManyPasswords(links);
  await consumeRows(principal, links.length);
  const prepared = await prepareRows(project, links);
  const batchId = newId('bat');
  return inTransaction(async (transaction) => {
    const good = prepared.filter((one): one is PreparedLink => !(one instanceof CodedError));
    const created = (await insertLinks(project, good, { batchId }, transaction)).values();
    const results = prepared.map((one) => (one instanceof CodedError ? one : (created.next().value as CodedError)));
    return finishBulk(project, { principal, batchId, action: 'create', results }, transaction);
  });
}

async function prepareRows(project: Project, rows: LinkRow[]): Promise<(PreparedLink | CodedError)[]> {
  const parsed = await mapYielding(rows, (row) => parseLinkRow('create', row));
  const inputs = parsed.flatMap((row) => ('input' in row ? [row.input] : []));
  const prepared = (await prepareLinks(project, inputs)).values();
  return parsed.map((row) =>
    'input' in row ? (prepared.next().value as PreparedLink) : validationFailed(row.problems),
  );
}

/** Makes the same change to many links; one that is refused fails alone. */
export async function bulkUpdateLinks(
  principal: Principal,
  { projectId, ids, set }: { projectId: string; ids: string[]; set: LinkChange },
): Promise<BulkOutcome> {
  const project = await authorizeProject(principal, 'links:write', projectId);
  await consumeRows(principal, ids.length);
  const found = await linksByReference(project, ids);
  const known = found.flatMap((link) => (link ? [{ link, input: set }] : []));
  const checked = (await prepareChanges(project, known)).values();
  const prepared = found.map((link) =>
    link ? (checked.next().value as PreparedChange | CodedError) : notFound('link'),
  );
  const good = prepared.filter((one): one is PreparedChange => !(one instanceof CodedError));
  const batchId = newId('bat');
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(async (transaction) => {
        const changed = (await changeLinks(project, good, transaction)).values();
        const results = prepared.map((one) => (one instanceof CodedError ? one : (changed.next().value as CodedError)));
        return finishBulk(project, { principal, batchId, action: 'update', results }, transaction);
      });
    } catch (error) {
      if (!(error instanceof UniqueConstraintError) || attempt === MAX_UPDATE_ATTEMPTS) throw error;
    }
  }
}

/** Deletes many links. One that does not exist, or is listed twice, fails with `not_found`. */
export async function bulkDeleteLinks(
  principal: Principal,
  { projectId, ids }: { projectId: string; ids: string[] },
): Promise<BulkOutcome> {
  const project = await authorizeProject(principal, 'links:write', projectId);
  await consumeRows(principal, ids.length);
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

/** Records the batch as one event, even if every link failed, and as one audit entry. Returns its outcome. */
async function finishBulk(
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
    await recordAudit(transaction, principal, { ...owner, action: AUDIT_ACTIONS[action], subjectId: batchId, details });
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

/** The links of a project that ids and `ext_<external id>` references name; null where there is none. */
async function linksByReference(project: Project, references: string[]): Promise<(Link | null)[]> {
  const named = references.map((reference) => ({ id: reference, ...externalLink(project.id, reference) }));
  const ids = named.flatMap(({ id, externalId }) => (externalId === undefined ? [id] : []));
  const byId = await linksByIds(project, ids);
  const byExternalId = await linksByExternalIds(
    project,
    named.flatMap(({ externalId }) => externalId ?? []),
  );
  return named.map(
    ({ id, externalId }) => (externalId === undefined ? byId.get(id) : byExternalId.get(externalId)) ?? null,
  );
}
