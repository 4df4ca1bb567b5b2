import { validationFailed } from '../../kernel/errors.ts';
import { Link } from '../../models/Link.ts';
import { Project } from '../../models/Project.ts';
import { Tag } from '../../models/Tag.ts';
import type { WebhookScope } from './webhookInput.ts';

/** The columns of a webhook that say whose events it gets. */
export interface ScopeColumns {
  projectId: string | null;
  linkId: string | null;
  tagId: string | null;
}

/** Where a scope may point: inside one project (a key's), or anywhere in a team. */
export interface ScopeBounds {
  teamId: string;
  projectId: string | null;
}

/** Checks that the scope names one thing inside `bounds`; naming things of others is `validation_failed`. */
export async function resolveScope(scope: WebhookScope | null | undefined, bounds: ScopeBounds): Promise<ScopeColumns> {
  if (!scope) return { projectId: bounds.projectId, linkId: null, tagId: null };
  const named = Object.entries(scope).filter(([, id]) => id !== null && id !== undefined);
  if (named.length !== 1) throw invalid('scope', 'Must have exactly one of project_id, link_id and tag_id.');
  const { projectId, linkId, tagId } = scope;
  if (linkId) return { projectId: await ownerOf(Link, linkId, bounds, 'link'), linkId, tagId: null };
  if (tagId) return { projectId: await ownerOf(Tag, tagId, bounds, 'tag'), linkId: null, tagId };
  if (!projectId || !(await isInside(projectId, bounds)))
    throw invalid('scope.project_id', 'There is no such project.');
  return { projectId, linkId: null, tagId: null };
}

async function ownerOf(
  model: typeof Link | typeof Tag,
  id: string,
  bounds: ScopeBounds,
  what: string,
): Promise<string> {
  const row = await (model as typeof Link).findByPk(id);
  if (!row || !(await isInside(row.projectId, bounds))) throw invalid(`scope.${what}_id`, `There is no such ${what}.`);
  return row.projectId;
}

async function isInside(projectId: string, bounds: ScopeBounds): Promise<boolean> {
  if (bounds.projectId) return projectId === bounds.projectId;
  return (await Project.findByPk(projectId))?.teamId === bounds.teamId;
}

function invalid(path: string, message: string) {
  return validationFailed([{ path, message }]);
}
