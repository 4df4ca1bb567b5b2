import { select } from '../../db/database.ts';
import type { App } from '../../models/Project.ts';

/** Apple reads 128 KiB of a file, and systems read all of it: more projects than this need domains of their own. */
const MAX_PROJECTS = 100;

/**
 * The apps that open links of a domain: of its project; of the domain of all projects first those whose new links are
 * made there, and then the others, which may have older links there. The oldest first.
 */
export async function loadDomainApps(hostname: string, projectId: string | null): Promise<App[]> {
  const whose = projectId === null ? 'TRUE' : 'id = :projectId';
  const rows = await select<{ apps: string | App[] }>(
    `SELECT apps FROM projects WHERE ${whose} AND CAST(apps AS TEXT) <> '[]' 
     ORDER BY CASE WHEN default_domain IS NULL OR default_domain = :hostname THEN 0 ELSE 1 END, created_at, id
     LIMIT :limit`,
    { hostname, projectId, limit: MAX_PROJECTS },
  );
  return rows.flatMap(({ apps }) => (typeof apps === 'string' ? (JSON.parse(apps) as App[]) : apps));
}
