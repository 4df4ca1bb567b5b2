import { OPERATOR_TEAMS } from '../access/operatorTeams.ts';
import { query } from '../db/query.ts';
import { config } from '../kernel/config.ts';
import { isOnBaseHost } from '../kernel/origins.ts';
import type { App } from '../models/Project.ts';
import { queryForRedirects } from './loadLink.ts';

/** Apple reads at most 128 KiB of an association file; with more projects than this, each needs its own domain. */
const MAX_PROJECTS = 100;

/**
 * The apps that open links of a domain. For a project's domain, those of the project. For the shared domain, those of the
 * operator's teams: first of projects that create links there, then of the others, which may have older links there;
 * oldest project first. An app opens every link of a domain that names it, so on a shared domain it would also get the
 * links of other teams. On the base host it would get the sign-in links of our mails, so there are none.
 */
export async function loadDomainApps(hostname: string, projectId: string | null): Promise<App[]> {
  if (isOnBaseHost(hostname)) return [];
  const whose = projectId === null ? sharing() : 'id = :projectId';
  const rows = await query<{ apps: string | App[] }>(
    `SELECT apps FROM projects WHERE ${whose} AND deletion_at IS NULL AND CAST(apps AS TEXT) <> '[]' 
     ORDER BY CASE WHEN default_domain IS NULL OR default_domain = :hostname THEN 0 ELSE 1 END, created_at, id
     LIMIT :limit`,
    { hostname, projectId, limit: MAX_PROJECTS },
  );
  return rows.flatMap(({ apps }) => appsIn(apps));
}

/** Team and apps of those of these projects that are not deleted, by project. PostgreSQL alone. */
export async function loadOwners(projectIds: readonly string[]): Promise<Map<string, { teamId: string; apps: App[] }>> {
  const rows = await queryForRedirects<{ id: string; teamId: string; apps: string | App[] }>(
    'SELECT id, team_id AS "teamId", apps FROM projects WHERE id = ANY($1) AND deletion_at IS NULL',
    [projectIds],
  );
  return new Map(rows.map(({ id, teamId, apps }) => [id, { teamId, apps: appsIn(apps) }]));
}

function appsIn(stored: string | App[]): App[] {
  return typeof stored === 'string' ? (JSON.parse(stored) as App[]) : stored;
}

function sharing(): string {
  return config.sharedDomainApps === 'all' ? 'TRUE' : `team_id IN (${OPERATOR_TEAMS})`;
}

/** Why no app of a team opens links of a domain, and what to do about it; null if apps can open them. */
export async function whyNoApps(domain: string, teamId: string): Promise<string | null> {
  if (isOnBaseHost(domain)) {
    return `Links on ${domain} open no app: it is the host of BASE_URL, and no app may take over the pages of this service. Set LINK_DOMAIN to a separate host, or add a link domain to this project and make it the default.`;
  }
  if (domain !== config.linkDomain || config.sharedDomainApps === 'all') return null;
  const [first] = await query(`${OPERATOR_TEAMS} AND id = :teamId`, { teamId });
  if (first) return null;
  return `Links on ${domain} open no app of this project, because all teams share this domain. Add a link domain to this project and make it the default.`;
}
