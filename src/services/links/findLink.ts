import { allowInProject, authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import type { Scope } from '../../access/scopes.ts';
import { dialect } from '../../db/database.ts';
import { readModels } from '../../db/readModels.ts';
import { notFound, validationFailed } from '../../kernel/errors.ts';
import { canonicalHost } from '../../kernel/origins.ts';
import { Link } from '../../models/Link.ts';
import type { Project } from '../../models/Project.ts';

/** How a link is named by its customer's own id wherever a link id goes. */
const EXTERNAL = 'ext_';

/**
 * The link that `reference` names (an id, or `ext_<external_id>` inside a key's project), if the principal may do
 * `scope` with it. Throws `not_found` for what does not exist and what belongs to others.
 */
export async function findLink(
  principal: Principal,
  scope: Scope,
  reference: string,
): Promise<{ link: Link; project: Project }> {
  if (principal.kind === 'key') {
    const [project, own] = await Promise.all([
      authorizeProject(principal, scope, principal.projectId),
      ownLink(principal.projectId, reference),
    ]);
    if (!own) throw notFound('link');
    return { link: own, project };
  }
  const link = await Link.findByPk(reference);
  if (!link) throw notFound('link');
  return { link, project: await authorizeLinkProject(principal, scope, link.projectId) };
}

/** The same for reading, where the project is not asked for. */
export async function readLink(principal: Principal, reference: string): Promise<Link> {
  if (principal.kind !== 'key') return (await findLink(principal, 'links:read', reference)).link;
  await allowInProject(principal, 'links:read', principal.projectId);
  const link = await ownLink(principal.projectId, reference, { tagNames: TAG_NAMES[dialect()] });
  if (!link) throw notFound('link');
  return link;
}

const TAGS = `FROM link_tags JOIN tags ON tags.id = link_tags.tag_id WHERE link_tags.link_id = links.id`;

/** The names of a link's tags, in the order in which they are shown. */
const TAG_NAMES = {
  sqlite: `(SELECT json_group_array(tags.name ORDER BY tags.name_key) ${TAGS})`,
  postgres: `(SELECT coalesce(json_agg(tags.name ORDER BY tags.name_key), '[]') ${TAGS})`,
};

/** Finds a link by address, external id or short URL within a project. */
export async function lookUpLink(
  principal: Principal,
  projectId: string,
  by: { domain?: string | null; slug?: string | null; externalId?: string | null; shortUrl?: string | null },
): Promise<Link> {
  const project = await authorizeProject(principal, 'links:read', projectId);
  if (!by.externalId && !by.shortUrl && !(by.domain && by.slug)) {
    const message = 'Give domain and slug, or external_id, or short_url.';
    throw validationFailed([{ path: by.domain ? 'slug' : 'domain', message }]);
  }
  const link = await Link.findOne({ where: { ...address(by), projectId: project.id } });
  if (!link) throw notFound('link');
  return link;
}

/** The condition that an `ext_<external_id>` stands for in a project; null for what is none. */
export function externalLink(projectId: string, reference: string) {
  return reference.startsWith(EXTERNAL) ? { projectId, externalId: reference.slice(EXTERNAL.length) } : null;
}

/** The id that a filter names, also of a deleted link. No link has an empty id: what names none finds nothing. */
export async function linkIdOf(projectId: string, reference: string): Promise<string> {
  const where = externalLink(projectId, reference);
  if (!where) return reference;
  return (await Link.findOne({ where, attributes: ['id'] }))?.id ?? '';
}

async function ownLink(
  projectId: string,
  reference: string,
  beside: Record<string, string> = {},
): Promise<Link | undefined> {
  const external = externalLink(projectId, reference);
  const [link] = external
    ? await readModels(Link, 'project_id = $1 AND external_id = $2', [projectId, external.externalId], { beside })
    : await readModels(Link, 'id = $2 AND project_id = $1', [projectId, reference], { beside });
  return link;
}

async function authorizeLinkProject(principal: Principal, scope: Scope, projectId: string): Promise<Project> {
  try {
    return await authorizeProject(principal, scope, projectId);
  } catch (error) {
    // The link of another team is no link at all, not "no such project".
    if (error instanceof Error && 'code' in error && error.code === 'not_found') throw notFound('link');
    throw error;
  }
}

function address(by: Parameters<typeof lookUpLink>[2]): Record<string, unknown> {
  if (by.externalId) return { externalId: by.externalId };
  if (by.shortUrl) {
    const url = new URL(by.shortUrl);
    return { domain: canonicalHost(url.host) ?? url.host, slug: url.pathname.slice(1) };
  }
  return { domain: canonicalHost(by.domain ?? undefined) ?? by.domain, slug: by.slug };
}
