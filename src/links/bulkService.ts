import { authorizeProject } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { consumeRows } from '../access/quotas.ts';
import { UniqueConstraintError } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { CodedError, notFound, validationFailed } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { mapYielding } from '../kernel/yield.ts';
import type { Link } from '../models/Link.ts';
import type { Project } from '../models/Project.ts';
import { NEW_TAGS_OF_CALL, NewTags } from '../tags/NewTags.ts';
import { tagKey } from '../tags/tagNames.ts';
import { changeLinks } from './changeLinks.ts';
import { insertLinks } from './createLinks.ts';
import type { Retagging } from './decideTags.ts';
import { deleteLinks } from './deleteLinks.ts';
import { type BulkOutcome, type BulkRow, type BulkStatus, finishBulk } from './finishBulk.ts';
import { type LinkChange, type LinkRow, type LinkRules, type ParsedRow, parseLinkRow } from './linkInput.ts';
import { refuseManyPasswords } from './linkPasswords.ts';
import { externalLink } from './linkReferences.ts';
import { linksByExternalIds, linksByIds } from './linkStore.ts';
import { type PreparedChange, type PreparedLink, prepareChanges, prepareLinks } from './prepareLinks.ts';

export { MAX_TAGS } from './decideTags.ts';
export type { BulkOutcome, LinkRow, LinkRules, ParsedRow };

/** How often a list is changed again because another call took one of its new addresses between check and write. */
const MAX_UPDATE_ATTEMPTS = 3;

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
    const newTags = new NewTags(project.id, NEW_TAGS_OF_CALL);
    const created = (await insertLinks(project, good, { batchId, newTags }, transaction)).values();
    const results = prepared.map((one) => (one instanceof CodedError ? one : (created.next().value as CodedError)));
    const outcome = { principal, batchId, action: 'create', results: withStatus('created', results) } as const;
    return finishBulk(project, outcome, transaction);
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

/** The same change of many links. Tags are set by `set.tags`, or changed by the two lists. */
interface BulkChange {
  projectId: string;
  ids: string[];
  set?: LinkChange | null;
  addTags?: string[] | null;
  removeTags?: string[] | null;
}

/** Makes the same change to many links; one that is refused fails alone. */
export async function bulkUpdateLinks(principal: Principal, change: BulkChange): Promise<BulkOutcome> {
  const { projectId, ids } = change;
  const project = await authorizeProject(principal, 'links:write', projectId);
  requireOneChange(change);
  const set = change.set ?? {};
  const retagging = retaggingOf(change);
  await consumeRows(principal, ids.length);
  const found = await linksByReference(project, ids);
  const known = found.flatMap((link) => (link ? [{ link, input: set }] : []));
  const checked = (await prepareChanges(project, known)).values();
  const prepared = found.map((link) =>
    link ? (checked.next().value as PreparedChange | CodedError) : notFound('link'),
  );
  const good = prepared.flatMap((one) => (one instanceof CodedError ? [] : { ...one, ...retagging }));
  const batchId = newId('bat');
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(async (transaction) => {
        const changed = (await changeLinks(project, good, transaction)).values();
        const results = prepared.map((one) => (one instanceof CodedError ? one : (changed.next().value as CodedError)));
        const outcome = { principal, batchId, action: 'update', results: withStatus('updated', results) } as const;
        return finishBulk(project, outcome, transaction);
      });
    } catch (error) {
      if (!(error instanceof UniqueConstraintError) || attempt === MAX_UPDATE_ATTEMPTS) throw error;
    }
  }
}

/** Throws `validation_failed` when nothing is to be changed, or tags in two ways that contradict each other. */
function requireOneChange({ set, addTags, removeTags }: BulkChange): void {
  if (!set && !addTags && !removeTags)
    throw validationFailed([{ path: 'set', message: 'Send set, add_tags or remove_tags.' }]);
  const changed = addTags ? 'add_tags' : 'remove_tags';
  if (set?.tags !== undefined && (addTags || removeTags))
    throw validationFailed([
      { path: changed, message: 'Cannot be sent together with set.tags, which replaces all tags.' },
    ]);
  const removed = new Set(removeTags?.map(tagKey));
  const both = addTags?.find((name) => removed.has(tagKey(name)));
  if (both !== undefined) throw validationFailed([{ path: 'remove_tags', message: `"${both}" is in add_tags too.` }]);
}

function retaggingOf({ addTags, removeTags }: BulkChange): { retagging?: Retagging } {
  return addTags || removeTags ? { retagging: { add: addTags ?? [], remove: removeTags ?? [] } } : {};
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
    const rows = withStatus('deleted', results);
    return finishBulk(project, { principal, batchId: newId('bat'), action: 'delete', results: rows }, transaction);
  });
}

/** The links that an action succeeded with, and why it failed with the others. */
function withStatus(status: BulkStatus, results: (Link | CodedError)[]): BulkRow[] {
  return results.map((result) => (result instanceof CodedError ? result : { status, link: result }));
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
