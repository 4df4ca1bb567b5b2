import { Op } from '../../../db/sequelize.ts';
import { partsOf } from '../../../kernel/sliced.ts';
import { Link } from '../../../models/Link.ts';
import type { Project } from '../../../models/Project.ts';
import { externalLink } from '../findLink.ts';

/** Links with many rules take the process half a millisecond each to read. */
const AT_ONCE = 50;

/** The links of a project that ids, and `ext_<external_id>`s, name; null for what names none. */
export async function linksByReference(project: Project, references: string[]): Promise<(Link | null)[]> {
  const found: Link[] = [];
  for (const part of partsOf(references, AT_ONCE)) found.push(...(await findAll(project, part)));
  const byId = new Map(found.map((link) => [link.id, link]));
  const byExternalId = new Map(found.map((link) => [link.externalId, link]));
  return references.map((reference) => {
    const external = externalLink(project.id, reference);
    return (external ? byExternalId.get(external.externalId) : byId.get(reference)) ?? null;
  });
}

function findAll(project: Project, references: string[]): Promise<Link[]> {
  const externalIds = references.flatMap((reference) => externalLink(project.id, reference)?.externalId ?? []);
  const where = {
    projectId: project.id,
    [Op.or]: [{ id: { [Op.in]: references } }, { externalId: { [Op.in]: externalIds } }],
  };
  return Link.findAll({ where });
}
