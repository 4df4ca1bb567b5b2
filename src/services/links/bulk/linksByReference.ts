import type { Link } from '../../../models/Link.ts';
import type { Project } from '../../../models/Project.ts';
import { externalLink } from '../findLink.ts';
import { linksByExternalIds, linksByIds } from '../linksByIds.ts';

/** The links of a project that ids, and `ext_<external_id>`s, name; null for what names none. */
export async function linksByReference(project: Project, references: string[]): Promise<(Link | null)[]> {
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
