import { withJsonRows } from '../../db/jsonRows.ts';
import { config } from '../../kernel/config.ts';
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
  const found = await withJsonRows<Found>(
    { at: 'integer', id: 'text', external_id: 'text', domain: 'text', slug: 'text' },
    names.map(({ id, externalId, domain, slug }, at) => [at, id, externalId, domain, slug]),
    // Each looked up by itself: as joins, a store that knows little of its tables yet reads all links of the project.
    `SELECT at, (SELECT links.id FROM links WHERE links.id = given.id AND links.project_id = $2) AS by_id,
            (SELECT links.id FROM links WHERE links.project_id = $2 AND links.external_id = given.external_id)
              AS by_external_id,
            (SELECT links.id FROM links WHERE links.domain = given.domain AND links.slug = given.slug) AS by_slug,
            (SELECT links.project_id FROM links WHERE links.domain = given.domain AND links.slug = given.slug)
              AS project_id
       FROM given`,
    undefined,
    [project.id],
  );
  const named = new Array<Named | null>(names.length).fill(null);
  for (const row of found) {
    const name = namedBy(project, row);
    // On a domain of its own whoever has it makes links where others left theirs behind: see `freeSlugs`.
    const isInTheWay = !name?.isForeign || names[Number(row.at)]?.domain === config.linkDomain;
    named[Number(row.at)] = isInTheWay ? name : null;
  }
  return named;
}

interface Found {
  at: number;
  by_id: string | null;
  by_external_id: string | null;
  by_slug: string | null;
  /** Of the link with that slug. */
  project_id: string | null;
}

function namedBy(project: Project, { by_id, by_external_id, by_slug, project_id }: Found): Named | null {
  if (by_id) return { linkId: by_id, by: 'id', isForeign: false };
  if (by_external_id) return { linkId: by_external_id, by: 'external_id', isForeign: false };
  return by_slug ? { linkId: by_slug, by: 'slug', isForeign: project_id !== project.id } : null;
}
