import { allowInProject, authorizeProject } from '../access/authorize.ts';
import { findOwnedByIds } from '../access/findOwned.ts';
import type { Principal } from '../access/principal.ts';
import { type AuditActor, creatorsOf } from '../audit/auditService.ts';
import { type NewAuditEntry, recordAudit } from '../audit/recordAudit.ts';
import { jsonArray } from '../db/dialects.ts';
import { readRowsByIds } from '../db/rows.ts';
import { inTransaction } from '../db/transactions.ts';
import { CodedError, notFound, validationFailed } from '../kernel/errors.ts';
import { canonicalHost } from '../kernel/origins.ts';
import { Link } from '../models/Link.ts';
import { Project } from '../models/Project.ts';
import { refusalOfDuplicate } from './addressConflicts.ts';
import { changeLinks } from './changeLinks.ts';
import { createPrepared } from './createLinks.ts';
import { deleteLinks } from './deleteLinks.ts';
import type { LinkChange, LinkInput } from './linkInput.ts';
import { auditSubject, destinationMissing, findLink, ownLink } from './linkReferences.ts';
import { addressOfShortUrl } from './list/exactMatches.ts';
import { type PreparedChange, prepareChanges, prepareLinks } from './prepareLinks.ts';

export type { LinkInput };

type NewLink = LinkInput & { projectId: string };

/** How often an upsert starts again because its link was created or deleted between the look-up and the write. */
const MAX_UPSERT_ATTEMPTS = 5;

const MAX_EXTERNAL_ID_LENGTH = 200;

/**
 * Creates a link. Throws `validation_failed`, `destination_refused`, `account_limit_reached`, `slug_taken`, or `conflict`
 * for a used external id.
 */
export async function createLink(principal: Principal, input: NewLink): Promise<Link> {
  const project = await authorizeProject(principal, 'links:write', input.projectId);
  const [prepared] = await prepareLinks(project, [input]);
  if (!prepared || prepared instanceof CodedError) throw prepared;
  return createPrepared({ principal, project, prepared });
}

/** One link by its id or `ext_<external id>`. Throws `not_found`. For keys its tags come with it, in the same query. */
export async function readLink(principal: Principal, reference: string): Promise<Link> {
  if (principal.kind !== 'key') return (await findLink(principal, 'links:read', reference)).link;
  await allowInProject(principal, 'links:read', principal.projectId);
  const link = await ownLink(principal.projectId, reference, { tagNames: tagNames() });
  if (!link) throw notFound('link');
  return link;
}

/** The links with these ids that the principal may read, by id. */
export function linksOfIds(principal: Principal, ids: readonly string[]): Promise<Map<string, Link>> {
  return findOwnedByIds(Link, principal, 'links:read', ids);
}

/** Who created these links, which the caller may read, by their ids; those of whom the audit log no longer tells are missing. */
export async function creatorsOfLinks(links: readonly Link[]): Promise<Map<string, AuditActor>> {
  const projects = await readRowsByIds(Project, [...new Set(links.map(({ projectId }) => projectId))]);
  return creatorsOf([...new Set(projects.map(({ teamId }) => teamId))], links);
}

/** SQL of the names of a link's tags as a JSON array, in the order in which they are shown. */
function tagNames(): string {
  return `(SELECT ${jsonArray('tags.name', 'tags.name_key')} FROM link_tags JOIN tags ON tags.id = link_tags.tag_id
    WHERE link_tags.link_id = links.id)`;
}

interface Lookup {
  domain?: string | null;
  slug?: string | null;
  externalId?: string | null;
  shortUrl?: string | null;
}

/** Finds a link of a project by domain and slug, external id or short URL. Throws `validation_failed`, `not_found`. */
export async function lookUpLink(principal: Principal, projectId: string, by: Lookup): Promise<Link> {
  const link = await findLinkBy(principal, projectId, by);
  if (!link) throw notFound('link');
  return link;
}

/** The link that `lookUpLink` finds; null where that throws `not_found`, except for a project of others. */
export async function findLinkBy(principal: Principal, projectId: string, by: Lookup): Promise<Link | null> {
  const project = await authorizeProject(principal, 'links:read', projectId);
  if (!by.externalId && !by.shortUrl && !(by.domain && by.slug)) {
    const message = 'Provide domain and slug, or external_id, or short_url.';
    throw validationFailed([{ path: by.domain ? 'slug' : 'domain', message }]);
  }
  return Link.findOne({ where: { ...lookupCondition(by), projectId: project.id } });
}

function lookupCondition(by: Lookup): Record<string, unknown> {
  if (by.externalId) return { externalId: by.externalId };
  if (by.shortUrl) return { ...addressOfShortUrl(new URL(by.shortUrl)) };
  return { domain: canonicalHost(by.domain ?? undefined) ?? by.domain, slug: by.slug };
}

/**
 * Changes the fields that were sent; `archived` archives or restores the link. With `ifUpdatedAt` only a link that nobody
 * has changed since: of two such changes at once, one is refused. Throws `not_found`, `validation_failed`,
 * `destination_refused`, `slug_taken`, `conflict`.
 */
export async function updateLink(
  principal: Principal,
  id: string,
  input: LinkChange,
  ifUpdatedAt?: Date | null,
): Promise<Link> {
  const { found, project, prepared } = await findAndPrepare(principal, id, input);
  try {
    return await changePrepared(principal, project, ifUpdatedAt ? { ...prepared, ifUpdatedAt } : prepared);
  } catch (error) {
    // Another link took the address or the external id between the check and the write.
    throw refusalOfDuplicate(error, { domain: found.domain, slug: found.slug, ...prepared.address }, input.externalId);
  }
}

/** Archives or restores a link. Safe to repeat: without a difference nothing is written or recorded. */
export function archiveLink(principal: Principal, id: string, archived: boolean): Promise<Link> {
  return updateLink(principal, id, { archived });
}

async function findAndPrepare(principal: Principal, id: string, input: LinkChange) {
  const { link: found, project } = await findLink(principal, 'links:write', id);
  const [prepared] = await prepareChanges(project, [{ link: found, input }]);
  if (!prepared || prepared instanceof CodedError) throw prepared;
  return { found, project, prepared };
}

function changePrepared(principal: Principal, project: Project, prepared: PreparedChange): Promise<Link> {
  return inTransaction(async (transaction) => {
    const audit = (entry: NewAuditEntry) => recordAudit(transaction, principal, entry);
    const [link] = await changeLinks(project, [prepared], transaction, audit);
    if (!link || link instanceof CodedError) throw link;
    return link;
  });
}

interface Upsert {
  projectId: string;
  externalId: string;
  input: LinkChange;
}

/**
 * Creates the link with this external id, or changes the fields that were sent if it exists. Two calls at the same time
 * create one link. Throws `validation_failed`, `destination_refused`, `account_limit_reached`, `slug_taken`.
 */
export async function upsertLink(
  principal: Principal,
  { projectId, externalId, input }: Upsert,
): Promise<{ created: boolean; link: Link }> {
  const project = await authorizeProject(principal, 'links:write', projectId);
  if (externalId.length < 1 || externalId.length > MAX_EXTERNAL_ID_LENGTH) {
    const message = `Must have 1 to ${MAX_EXTERNAL_ID_LENGTH} characters, well-formed in the path.`;
    throw validationFailed([{ path: 'external_id', message }]);
  }
  for (let attempt = 1; ; attempt += 1) {
    const found = await Link.findOne({ attributes: ['id'], where: { projectId: project.id, externalId } });
    try {
      if (found) return { created: false, link: await updateLink(principal, found.id, input) };
      return { created: true, link: await createForUpsert(principal, project, externalId, input) };
    } catch (error) {
      const wasOvertaken =
        error instanceof CodedError &&
        error.code === (found ? 'not_found' : 'conflict') &&
        attempt < MAX_UPSERT_ATTEMPTS;
      if (!wasOvertaken) throw error;
    }
  }
}

async function createForUpsert(
  principal: Principal,
  project: Project,
  externalId: string,
  input: LinkChange,
): Promise<Link> {
  if (input.destination === undefined) throw destinationMissing();
  const [prepared] = await prepareLinks(project, [{ ...input, externalId }]);
  if (!prepared || prepared instanceof CodedError) throw prepared;
  return createPrepared({ principal, project, prepared });
}

/** Deletes a link for good and frees its slug; analytics keeps its clicks. Throws `not_found`. */
export async function deleteLink(principal: Principal, id: string): Promise<void> {
  const { link, project } = await findLink(principal, 'links:write', id);
  await inTransaction(async (transaction) => {
    const [deleted] = await deleteLinks(project, [link.id], transaction);
    if (!deleted || deleted instanceof CodedError) throw deleted;
    await recordAudit(transaction, principal, { ...auditSubject(deleted, project), action: 'link.deleted' });
  });
}
