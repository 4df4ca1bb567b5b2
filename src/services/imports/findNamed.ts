import { withJsonRows } from '../../db/jsonRows.ts';
import { Op } from '../../db/sequelize.ts';
import { Link } from '../../models/Link.ts';
import type { Project } from '../../models/Project.ts';
import { linkDomain } from '../links/checkLink.ts';

/** How a row names a link; null where it doesn't. */
export interface LinkNames {
  id: string | null;
  externalId: string | null;
  domain: string;
  slug: string | null;
}

/** What a row's names lead to. */
export interface Named {
  /** Null: a dry run foresees it. */
  linkId: string | null;
  by: 'id' | 'external_id' | 'slug';
  /** The address is used in another project. */
  isForeign: boolean;
}

const BY = ['id', 'external_id', 'slug'] as const;

/** The names in a row. */
export function namesIn(project: Project, link: Record<string, unknown>): LinkNames {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  return {
    id: text(link.id),
    externalId: text(link.external_id),
    domain: linkDomain(project, { domain: text(link.domain) }),
    slug: text(link.slug),
  };
}

/** For each row the link that its id names, else its external id, else its domain and slug; null for none. */
export async function findNamed(project: Project, names: LinkNames[]): Promise<(Named | null)[]> {
  const found = await withJsonRows<{ at: number; rank: number; id: string; project_id: string }>(
    { at: 'integer', id: 'text', external_id: 'text', domain: 'text', slug: 'text' },
    names.map(({ id, externalId, domain, slug }, at) => [at, id, externalId, domain, slug]),
    // CROSS JOIN keeps SQLite from walking through all links and looking each up among the rows.
    `SELECT given.at AS at, 0 AS rank, links.id AS id, links.project_id AS project_id
       FROM given CROSS JOIN links WHERE links.id = given.id AND links.project_id = $2
     UNION ALL SELECT given.at, 1, links.id, links.project_id
       FROM given CROSS JOIN links WHERE links.project_id = $2 AND links.external_id = given.external_id
     UNION ALL SELECT given.at, 2, links.id, links.project_id
       FROM given CROSS JOIN links WHERE links.domain = given.domain AND links.slug = given.slug`,
    undefined,
    [project.id],
  );
  const named = new Array<Named | null>(names.length).fill(null);
  for (const row of found.sort((a, b) => Number(b.rank) - Number(a.rank))) {
    const by = BY[Number(row.rank)] ?? 'slug';
    named[Number(row.at)] = { linkId: row.id, by, isForeign: row.project_id !== project.id };
  }
  return named;
}

/** Links by their ids. */
export async function linksById(project: Project, ids: string[]): Promise<Map<string, Link>> {
  if (ids.length === 0) return new Map();
  const links = await Link.findAll({ where: { projectId: project.id, id: { [Op.in]: ids } } });
  return new Map(links.map((link) => [link.id, link]));
}
