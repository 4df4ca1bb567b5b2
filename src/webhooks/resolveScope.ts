import type { Model, ModelStatic, WhereOptions } from '../db/sequelize.ts';
import { validationFailed } from '../kernel/errors.ts';
import { externalLink } from '../links/linkReferences.ts';
import { Link } from '../models/Link.ts';
import { Project } from '../models/Project.ts';
import { Tag } from '../models/Tag.ts';

/** The columns of a webhook that hold its scope; all null for the whole team. */
export interface ScopeColumns {
  projectId: string | null;
  linkId: string | null;
  tagId: string | null;
}

/** The bounds of a scope: one project, or a whole team when `projectId` is null. */
export interface ScopeBounds {
  teamId: string;
  projectId: string | null;
}

/** Checks that the scope names exactly one thing inside `bounds` and returns its columns. Throws `validation_failed`. */
export async function resolveScope(scope: WebhookScope | null | undefined, bounds: ScopeBounds): Promise<ScopeColumns> {
  if (!scope) return { projectId: bounds.projectId, linkId: null, tagId: null };
  const named = Object.entries(scope).filter(([, id]) => id !== null && id !== undefined);
  if (named.length !== 1) throw invalid('scope', 'Must have exactly one of project_id, link_id and tag_id.');
  const { projectId, linkId, tagId } = scope;
  if (linkId) {
    const link = await findInside(Link, linkOf(linkId, bounds), bounds, 'link');
    return { projectId: link.projectId, linkId: link.id, tagId: null };
  }
  if (tagId) {
    const tag = await findInside(Tag, { id: tagId }, bounds, 'tag');
    return { projectId: tag.projectId, linkId: null, tagId: tag.id };
  }
  if (!projectId || !(await isInside(projectId, bounds)))
    throw invalid('scope.project_id', 'There is no such project.');
  return { projectId, linkId: null, tagId: null };
}

/** Inside a project a link can also be named by `ext_<external_id>`. */
function linkOf(reference: string, { projectId }: ScopeBounds) {
  return (projectId && externalLink(projectId, reference)) || { id: reference };
}

async function findInside<Row extends Model & { projectId: string }>(
  model: ModelStatic<Row>,
  where: WhereOptions,
  bounds: ScopeBounds,
  what: string,
): Promise<Row> {
  const row = await model.findOne({ where });
  if (!row || !(await isInside(row.projectId, bounds))) throw invalid(`scope.${what}_id`, `There is no such ${what}.`);
  return row;
}

async function isInside(projectId: string, bounds: ScopeBounds): Promise<boolean> {
  if (bounds.projectId) return projectId === bounds.projectId;
  return (await Project.findByPk(projectId))?.teamId === bounds.teamId;
}

function invalid(path: string, message: string) {
  return validationFailed([{ path, message }]);
}

/** The events that a webhook receives: those of exactly one project, link or tag. */
export interface WebhookScope {
  projectId?: string | null;
  linkId?: string | null;
  tagId?: string | null;
}
