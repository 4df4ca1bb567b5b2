import { config } from '../kernel/config.ts';
import { type FoundLink, findByReferences, type LinkReferences } from '../links/linkStore.ts';
import { linkDomain } from '../links/prepareLinks.ts';
import type { Project } from '../models/Project.ts';

/** The link that a row refers to. */
export interface ExistingLink {
  /** Null: an earlier row of a dry run would have created it. */
  linkId: string | null;
  by: 'id' | 'external_id' | 'slug';
  /** The address is used in another project. */
  isForeign: boolean;
}

/** What a row refers to a link by; null where it does not. */
export function referencesIn(project: Project, link: Record<string, unknown>): LinkReferences {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  return {
    id: text(link.id),
    externalId: text(link.external_id),
    domain: linkDomain(project, { domain: text(link.domain) }),
    slug: text(link.slug),
  };
}

/** For each row the link that its id names, else its external id, else its domain and slug; null for none. */
export async function findExisting(project: Project, references: LinkReferences[]): Promise<(ExistingLink | null)[]> {
  const found = await findByReferences(project.id, references);
  return found.map((row, at) => {
    const existing = row && existingLink(project, row);
    // On a domain of its own the project creates links where others left theirs behind: see `freeSlugs`.
    const isInTheWay = !existing?.isForeign || references[at]?.domain === config.linkDomain;
    return isInTheWay ? existing : null;
  });
}

function existingLink(project: Project, { byId, byExternalId, bySlug, slugProjectId }: FoundLink): ExistingLink | null {
  if (byId) return { linkId: byId, by: 'id', isForeign: false };
  if (byExternalId) return { linkId: byExternalId, by: 'external_id', isForeign: false };
  return bySlug ? { linkId: bySlug, by: 'slug', isForeign: slugProjectId !== project.id } : null;
}
