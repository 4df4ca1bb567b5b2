import { authorizeProject } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { consumeRows } from '../access/quotas.ts';
import { type Transaction, UniqueConstraintError } from '../db/sequelize.ts';
import { inTransaction, lockNames } from '../db/transactions.ts';
import { CodedError, notFound, validationFailed } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { mapYielding } from '../kernel/yield.ts';
import type { Link } from '../models/Link.ts';
import type { Project } from '../models/Project.ts';
import { NEW_TAGS_OF_CALL, NewTags } from '../tags/NewTags.ts';
import { changeLinks } from './changeLinks.ts';
import { insertLinks } from './createLinks.ts';
import { type BulkOutcome, type BulkRow, finishBulk } from './finishBulk.ts';
import { type LinkRow, parseLinkRow, type UpsertRow } from './linkInput.ts';
import { refuseManyPasswords } from './linkPasswords.ts';
import { destinationMissing } from './linkReferences.ts';
import { linksByExternalIds, linksByIds } from './linkStore.ts';
import { type PreparedChange, type PreparedLink, prepareChanges, prepareLinks } from './prepareLinks.ts';

/** How often a list starts again because another call wrote to its links between the look-up and the write. */
const MAX_ATTEMPTS = 5;

/** What will be done for a row. */
type Plan = { create: PreparedLink; externalId: string } | { change: PreparedChange } | CodedError;

/** Another call created or deleted a link of the list after it was looked up: the list is planned again. */
class Overtaken extends Error {}

/**
 * Creates the links of a list by their external ids, or changes the fields that were sent where they exist; each by the
 * rules of a single upsert. One that is refused fails alone, as does one whose external id stands earlier in the list. A
 * link that is already as sent is not written. A row with an `id` gives that link its external id. The list is one transaction.
 */
export async function bulkUpsertLinks(
  principal: Principal,
  { projectId, links }: { projectId: string; links: LinkRow[] },
): Promise<BulkOutcome> {
  const project = await authorizeProject(principal, 'links:write', projectId);
  refuseManyPasswords(links);
  await consumeRows(principal, links.length);
  const rows = await parseRows(links);
  const batchId = newId('bat');
  for (let attempt = 1; ; attempt += 1) {
    const plans = await planRows(project, rows);
    try {
      return await inTransaction(async (transaction) => {
        // Lists of one project take turns: two that create the same tags and change the same links would deadlock.
        await lockNames([`bulk upserts of ${project.id}`], transaction);
        const results = await carryOut(project, plans, { batchId, isLast: attempt === MAX_ATTEMPTS }, transaction);
        return finishBulk(project, { principal, batchId, action: 'upsert', results }, transaction);
      });
    } catch (error) {
      const mayRepeat = error instanceof Overtaken || error instanceof UniqueConstraintError;
      if (!mayRepeat || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** The rows that passed the rules of the schema. An external id counts for the first row that has it. */
async function parseRows(links: LinkRow[]): Promise<(UpsertRow | CodedError)[]> {
  const firstAt = new Map<unknown, number>();
  const parsed = await mapYielding(links, (row) => parseLinkRow('upsert', row));
  return parsed.map((row, index) => {
    if ('problems' in row) return validationFailed(row.problems);
    const { externalId } = row.input;
    const earlier = firstAt.get(externalId);
    if (earlier === undefined) firstAt.set(externalId, index);
    else return new CodedError('conflict', `The external id "${externalId}" is also that of links.${earlier}.`);
    return row.input;
  });
}

/** Looks the links up, checks every row against what it finds, scans URLs and hashes passwords. */
async function planRows(project: Project, rows: (UpsertRow | CodedError)[]): Promise<Plan[]> {
  const found = await findLinks(project, rows);
  const creations = (await prepareLinks(project, rows.filter(isCreation))).values();
  const known = rows.flatMap((row) => {
    const link = found.get(row);
    if (!link) return [];
    const { id: _, ...input } = row as UpsertRow;
    return [{ link, input }];
  });
  const changes = (await prepareChanges(project, known)).values();
  return rows.map((row) => {
    if (row instanceof CodedError) return row;
    const isNew = !found.has(row);
    if (isNew && row.id !== undefined) return notFound('link');
    if (isNew && row.destination === undefined) return destinationMissing();
    const prepared = (isNew ? creations : changes).next().value as PreparedLink | PreparedChange | CodedError;
    if (prepared instanceof CodedError) return prepared;
    return 'linkId' in prepared ? { change: prepared } : { create: prepared, externalId: row.externalId };
  });

  function isCreation(row: UpsertRow | CodedError): row is UpsertRow {
    return !(row instanceof CodedError) && !found.has(row) && row.id === undefined && row.destination !== undefined;
  }
}

/** The links that there are, by their rows: named by their ids, or by the external ids that they have. */
async function findLinks(project: Project, rows: (UpsertRow | CodedError)[]): Promise<Map<unknown, Link>> {
  const good = rows.filter((row): row is UpsertRow => !(row instanceof CodedError));
  const named = good.filter(({ id }) => id === undefined);
  const [byExternalId, byId] = await Promise.all([
    linksByExternalIds(
      project,
      named.map(({ externalId }) => externalId),
    ),
    linksByIds(
      project,
      good.flatMap(({ id }) => id ?? []),
    ),
  ]);
  const links = good.map((row) => [row, row.id === undefined ? byExternalId.get(row.externalId) : byId.get(row.id)]);
  return new Map(links.filter((pair): pair is [UpsertRow, Link] => pair[1] !== undefined));
}

interface Run {
  batchId: string;
  /** A row that was overtaken fails instead of repeating the list. */
  isLast: boolean;
}

async function carryOut(
  project: Project,
  plans: Plan[],
  { batchId, isLast }: Run,
  transaction: Transaction,
): Promise<BulkRow[]> {
  const results = new Map<Plan, BulkRow>();
  const newTags = new NewTags(project.id, NEW_TAGS_OF_CALL);
  // In the order of their ids: two lists that insert the same links in different orders would deadlock.
  const creations = plans.filter((plan) => 'create' in plan).sort((a, b) => (a.externalId < b.externalId ? -1 : 1));
  const created = await insertLinks(
    project,
    creations.map(({ create }) => create),
    { batchId, newTags },
    transaction,
  );
  created.forEach((link, at) => {
    if (link instanceof CodedError && link.code === 'conflict' && !isLast) throw new Overtaken();
    results.set(creations[at] as Plan, link instanceof CodedError ? link : { status: 'created', link });
  });
  const changes = plans.filter((plan) => 'change' in plan);
  const written = new Set<string>();
  const changed = await changeLinks(
    project,
    changes.map(({ change }) => change),
    transaction,
    async ({ subjectId }) => {
      written.add(subjectId ?? '');
    },
    newTags,
  );
  changed.forEach((link, at) => {
    if (link instanceof CodedError && link.code === 'not_found' && !isLast) throw new Overtaken();
    const status = link instanceof CodedError || !written.has(link.id) ? 'unchanged' : 'updated';
    results.set(changes[at] as Plan, link instanceof CodedError ? link : { status, link });
  });
  return plans.map((plan) => (plan instanceof CodedError ? plan : (results.get(plan) as BulkRow)));
}
