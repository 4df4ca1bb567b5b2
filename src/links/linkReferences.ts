import { authorizeProject } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import type { Scope } from '../access/scopes.ts';
import { readRows } from '../db/rows.ts';
import { type CodedError, notFound, validationFailed } from '../kernel/errors.ts';
import { Link } from '../models/Link.ts';
import type { Project } from '../models/Project.ts';

/** Begins a reference by the customer's own id, which is accepted wherever a link id is. */
const EXTERNAL_PREFIX = 'ext_';

/**
 * The link that `reference` names (an id, or for keys also `ext_<external id>` within their project), if the principal may
 * do `scope` with it. Throws `not_found` alike for links that do not exist and for links of others.
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

/** The error for an upsert of a link that does not exist yet. */
export function destinationMissing(): CodedError {
  return validationFailed([
    { path: 'destination', message: 'Is required: there is no link with this external id yet.' },
  ]);
}

/** The condition that an `ext_<external id>` stands for in a project; null for every other reference. */
export function externalLink(projectId: string, reference: string) {
  return reference.startsWith(EXTERNAL_PREFIX)
    ? { projectId, externalId: reference.slice(EXTERNAL_PREFIX.length) }
    : null;
}

/** The link id that a filter names, which may be a deleted link's. Returns '' when there is no such link: nothing matches it. */
export async function linkIdOf(projectId: string, reference: string): Promise<string> {
  const where = externalLink(projectId, reference);
  if (!where) return reference;
  return (await Link.findOne({ where, attributes: ['id'] }))?.id ?? '';
}

/** The link of the project that a reference names. `extraColumns`: further columns of the query, as SQL by attribute. */
export async function ownLink(
  projectId: string,
  reference: string,
  extraColumns: Record<string, string> = {},
): Promise<Link | undefined> {
  const external = externalLink(projectId, reference);
  const [link] = external
    ? await readRows(Link, 'project_id = $1 AND external_id = $2', [projectId, external.externalId], { extraColumns })
    : await readRows(Link, 'id = $2 AND project_id = $1', [projectId, reference], { extraColumns });
  return link;
}

async function authorizeLinkProject(principal: Principal, scope: Scope, projectId: string): Promise<Project> {
  try {
    return await authorizeProject(principal, scope, projectId);
  } catch (error) {
    // A stranger must not learn that the link exists, so the answer is not "no such project".
    if (error instanceof Error && 'code' in error && error.code === 'not_found') throw notFound('link');
    throw error;
  }
}

/** How audit entries name a link and its owner. */
export function auditSubject({ id, domain, slug }: Link, project: Pick<Project, 'id' | 'teamId'>) {
  return { teamId: project.teamId, projectId: project.id, subjectId: id, subjectName: `${domain}/${slug}` };
}
