import { inList, inListValue, rowLock, withoutIndex } from '../db/dialects.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import { insertRows, newRow, readRows, readRowsByIds } from '../db/rows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { chunksOf } from '../kernel/chunks.ts';
import { newId } from '../kernel/ids.ts';
import { Link } from '../models/Link.ts';
import type { Project } from '../models/Project.ts';
import { generateSlug } from '../routing/slug.ts';
import { linkColumns } from './linkInput.ts';
import type { PreparedLink } from './prepareLinks.ts';

/** A link that is not in the store yet, by the attributes of its model. */
export type NewLinkValues = Record<string, unknown> & {
  id: string;
  projectId: string;
  domain: string;
  slug: string;
  externalId: string | null;
};

/** The values of a new link, with a generated slug where none was sent. */
export function newLinkValues(
  project: Project,
  { input, domain, isScanned, passwordHash = null }: PreparedLink,
  batchId: string | null,
  at: Date,
): NewLinkValues {
  return newRow(Link, {
    data: {},
    ...linkColumns(input),
    id: newId('lnk'),
    projectId: project.id,
    domain,
    slug: input.slug ?? generateSlug(),
    externalId: input.externalId ?? null,
    passwordHash,
    batchId,
    scannedAt: isScanned ? at : null,
    archivedAt: input.archived ? at : null,
    createdAt: at,
    updatedAt: at,
  });
}

/**
 * Inserts links and returns the ids of those that were inserted. The others have a slug or an external id that is used,
 * by a stored link or by one earlier in the list.
 */
export async function insertLinkRows(links: NewLinkValues[], transaction: Transaction): Promise<Set<string>> {
  const options = { transaction, onConflict: 'ON CONFLICT DO NOTHING', returning: 'id' };
  return new Set((await insertRows<{ id: string }>(Link, links, options)).map(({ id }) => id));
}

/** Which of a link's unique values a stored link has. */
export interface UsedValues {
  slug: boolean;
  externalId: boolean;
}

/** By the ids of new links: which of their unique values are used by stored links. */
export async function usedValuesOf(links: NewLinkValues[], transaction: Transaction): Promise<Map<string, UsedValues>> {
  const rows = await withJsonRows<{ id: string; by_slug: unknown; by_external_id: unknown }>(
    { id: 'text', domain: 'text', slug: 'text', project_id: 'text', external_id: 'text' },
    links.map(({ id, domain, slug, projectId, externalId }) => [id, domain, slug, projectId, externalId]),
    `SELECT given.id AS id, EXISTS (SELECT 1 FROM links WHERE links.project_id = given.project_id
              AND links.external_id = given.external_id) AS by_external_id,
            EXISTS (SELECT 1 FROM links WHERE links.domain = given.domain AND links.slug = given.slug) AS by_slug
       FROM given`,
    transaction,
  );
  return new Map(rows.map((row) => [row.id, { slug: Boolean(row.by_slug), externalId: Boolean(row.by_external_id) }]));
}

/** What a row of a file refers to a link by. */
export interface LinkReferences {
  id: string | null;
  externalId: string | null;
  domain: string;
  slug: string | null;
}

/** The ids of the links that a row refers to. */
export interface FoundLink {
  byId: string | null;
  byExternalId: string | null;
  /** Of any project: `slugProjectId`. */
  bySlug: string | null;
  slugProjectId: string | null;
}

/** The links that each of these references names: by id and external id in the project, by address in all projects. */
export async function findByReferences(projectId: string, references: LinkReferences[]): Promise<(FoundLink | null)[]> {
  const rows = await withJsonRows<FoundLink & { at: number | string }>(
    { at: 'integer', id: 'text', external_id: 'text', domain: 'text', slug: 'text' },
    references.map(({ id, externalId, domain, slug }, at) => [at, id, externalId, domain, slug]),
    // Subqueries: without statistics a store would plan joins that read all links of the project.
    `SELECT at, (SELECT links.id FROM links WHERE links.id = given.id AND links.project_id = $2) AS "byId",
            (SELECT links.id FROM links WHERE links.project_id = $2 AND links.external_id = given.external_id)
              AS "byExternalId",
            (SELECT links.id FROM links WHERE links.domain = given.domain AND links.slug = given.slug) AS "bySlug",
            (SELECT links.project_id FROM links WHERE links.domain = given.domain AND links.slug = given.slug)
              AS "slugProjectId"
       FROM given`,
    undefined,
    [projectId],
  );
  const found = new Array<FoundLink | null>(references.length).fill(null);
  for (const { at, ...row } of rows) found[Number(at)] = row;
  return found;
}

/** The links in the order of their ids, without those that were deleted since the ids were read. */
export async function linksInOrder(ids: string[]): Promise<Link[]> {
  if (ids.length === 0) return [];
  const links = new Map((await readRowsByIds(Link, ids)).map((link) => [link.id, link]));
  return ids.flatMap((id) => links.get(id) ?? []);
}

/** Sets the time of the last change, which Sequelize would set to the present. */
export async function setUpdatedAt(id: string, updatedAt: Date, transaction: Transaction): Promise<void> {
  await queryRaw('UPDATE links SET updated_at = $1 WHERE id = $2', [sqlTime(updatedAt.getTime()), id], transaction);
}

/** Links of one query: reading a link with many rules takes the process half a millisecond. */
const LINKS_PER_QUERY = 50;

interface ReadOptions {
  transaction?: Transaction;
  /** Locks each of them in the order of their ids: two lists with the same links would otherwise deadlock. */
  isLocked?: boolean;
}

/** The links of the project that have these ids, by id. */
export async function linksByIds(
  project: Pick<Project, 'id'>,
  ids: readonly string[],
  { transaction, isLocked = false }: ReadOptions = {},
): Promise<Map<string, Link>> {
  // By the index on the project, SQLite would read all links of the project to find the ids.
  const condition = `${inList('id', '$1')} AND ${withoutIndex('project_id')} = $2 ORDER BY id`;
  const lock = isLocked ? ` ${rowLock('FOR UPDATE')}` : '';
  const links = await readLinks(condition + lock, project, ids, transaction);
  return new Map(links.map((link) => [link.id, link]));
}

/** The links of the project that have these external ids, by external id. */
export async function linksByExternalIds(
  project: Pick<Project, 'id'>,
  externalIds: readonly string[],
): Promise<Map<string, Link>> {
  const links = await readLinks(`project_id = $2 AND ${inList('external_id', '$1')}`, project, externalIds);
  return new Map(links.map((link) => [link.externalId ?? '', link]));
}

/** In `condition`, $1 stands for the list of values and $2 for the project. */
async function readLinks(
  condition: string,
  project: Pick<Project, 'id'>,
  values: readonly string[],
  transaction?: Transaction,
): Promise<Link[]> {
  const links: Link[] = [];
  const options = { select: queryRaw, ...(transaction ? { transaction } : {}) };
  for (const part of chunksOf([...new Set(values)].sort(), LINKS_PER_QUERY)) {
    links.push(...(await readRows(Link, condition, [inListValue(part), project.id], options)));
  }
  return links;
}
