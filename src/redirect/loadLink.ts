import { select } from '../db/database.ts';
import { Link } from '../models/Link.ts';
import { type CompiledLink, compileLink } from '../routing/compiledLink.ts';
import type { StoredRouting } from '../routing/compiledRouting.ts';

/** The link at an address, compiled for redirects; null when there is none. */
export async function loadLink(domain: string, slug: string): Promise<CompiledLink | null> {
  const link = await Link.findOne({ where: { domain, slug } });
  if (!link) return null;
  const [owner] = await select<{ teamId: string }>('SELECT team_id AS "teamId" FROM projects WHERE id = :id', {
    id: link.projectId,
  });
  return compileLink({
    id: link.id,
    projectId: link.projectId,
    teamId: owner?.teamId ?? '',
    domain,
    slug,
    destination: link.destination,
    utm: completeUtm(link.utm),
    expiredDestination: link.expiredDestination,
    clickLimit: link.clickLimit,
    clicks: link.clicks,
    routing: link.routing as StoredRouting | null,
    archivedAt: link.archivedAt,
    flaggedAt: link.flaggedAt,
    startsAt: link.startsAt,
    expiresAt: link.expiresAt,
  });
}

function completeUtm(utm: Link['utm']) {
  if (!utm) return null;
  const { source = null, medium = null, campaign = null, term = null, content = null } = utm;
  return { source, medium, campaign, term, content };
}
