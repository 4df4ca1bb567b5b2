import { select } from '../../db/database.ts';
import { config } from '../../kernel/config.ts';
import { isOnBaseHost } from '../../kernel/origins.ts';
import type { App } from '../../models/Project.ts';

/** Apple reads 128 KiB of a file, and systems read all of it: more projects than this need domains of their own. */
const MAX_PROJECTS = 100;

/** The team of the first start, and what else its owner founded: they are the operator's. */
const FIRST_TEAMS = 'SELECT id FROM teams WHERE has_no_limits = true';

/**
 * The apps that open links of a domain: of its project; of the domain of all projects those of the operator's team, first
 * those whose new links are made there, then the others, which may have older links there. The oldest first. An app opens
 * every link of a domain that names it, so on a shared one it would get the links of other teams; and on the base host it
 * would get the links of our mails, which hold what lets somebody in.
 */
export async function loadDomainApps(hostname: string, projectId: string | null): Promise<App[]> {
  if (isOnBaseHost(hostname)) return [];
  const whose = projectId === null ? sharing() : 'id = :projectId';
  const rows = await select<{ apps: string | App[] }>(
    `SELECT apps FROM projects WHERE ${whose} AND CAST(apps AS TEXT) <> '[]' 
     ORDER BY CASE WHEN default_domain IS NULL OR default_domain = :hostname THEN 0 ELSE 1 END, created_at, id
     LIMIT :limit`,
    { hostname, projectId, limit: MAX_PROJECTS },
  );
  return rows.flatMap(({ apps }) => (typeof apps === 'string' ? (JSON.parse(apps) as App[]) : apps));
}

function sharing(): string {
  return config.sharedDomainApps === 'all' ? 'TRUE' : `team_id IN (${FIRST_TEAMS})`;
}

/** Why no app of a team opens links of a domain, and what to do; null: nothing is in the way. */
export async function whyNoApps(domain: string, teamId: string): Promise<string | null> {
  if (isOnBaseHost(domain)) {
    return `Links on ${domain} open no app: it is the host of BASE_URL, whose own pages no app may take over. Set LINK_DOMAIN to a host of its own, or add a link domain to this project and make it the default.`;
  }
  if (domain !== config.linkDomain || config.sharedDomainApps === 'all') return null;
  const [first] = await select(`${FIRST_TEAMS} AND id = :teamId`, { teamId });
  if (first) return null;
  return `Links on ${domain} open no app of this project: every team has links there. Add a link domain of its own to this project and make it the default.`;
}
