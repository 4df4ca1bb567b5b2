import { type LinkInLine, linkInLine } from '../clicks/clickLine.ts';
import { type Dialect, dialect } from '../db/database.ts';
import { readModels } from '../db/readModels.ts';
import { selectApart } from '../db/selectBound.ts';
import { Link } from '../models/Link.ts';
import type { App } from '../models/Project.ts';
import { type CompiledLink, compileLink } from '../routing/compiledLink.ts';
import type { StoredRouting } from '../routing/compiledRouting.ts';
import { sharedText, sharing } from '../routing/sharing.ts';

/** A link as redirects need it: compiled, with what is asked about after the routing. */
export interface RedirectLink extends CompiledLink {
  passwordHash: string | null;
  title: string | null;
  preview: Link['preview'];
  /** What the lines of its clicks say of it, with the tags that it carries. */
  line: LinkInLine;
  /** The apps of its project. */
  apps: App[];
}

/** What stands around a link, as JSON. */
const BESIDE: Record<Dialect, Record<'owner' | 'tagIds', string>> = {
  sqlite: {
    owner: `(SELECT json_object('teamId', team_id, 'apps', json(apps)) FROM projects WHERE projects.id = links.project_id)`,
    tagIds: '(SELECT json_group_array(tag_id ORDER BY tag_id) FROM link_tags WHERE link_tags.link_id = links.id)',
  },
  postgres: {
    owner: `(SELECT json_build_object('teamId', team_id, 'apps', apps) FROM projects WHERE projects.id = links.project_id)`,
    tagIds: `(SELECT COALESCE(json_agg(tag_id ORDER BY tag_id), '[]') FROM link_tags WHERE link_tags.link_id = links.id)`,
  },
};

/** Visitors have long been answered by then: see `Remembered`. */
const LOOK_UP_MS = 3000;

/** Rows for redirects; given up in time, so that a connection which is dead does not hold up the next question. */
export function lookUp<Row extends object>(sql: string, values: readonly unknown[]): Promise<Row[]> {
  return selectApart(sql, values, LOOK_UP_MS);
}

type Found = Link & { owner: { teamId: string; apps: App[] }; tagIds: string[] };

/** The link at an address, compiled for redirects; null when there is none. */
export function loadLink(domain: string, slug: string): Promise<RedirectLink | null> {
  return load('domain = $1 AND slug = $2', [domain, slug]);
}

/** The same by its id. */
export function loadLinkById(id: string): Promise<RedirectLink | null> {
  return load('id = $1', [id]);
}

/** In one statement: after a restart every link is asked for once, by visitors who wait. */
async function load(condition: string, values: string[]): Promise<RedirectLink | null> {
  const [link] = (await readModels(Link, condition, values, { beside: BESIDE[dialect()], select: lookUp })) as Found[];
  if (!link) return null;
  const { id, slug, tagIds } = link;
  const domain = sharedText(link.domain);
  const projectId = sharedText(link.projectId);
  const teamId = sharedText(link.owner.teamId);
  const utm = completeUtm(link.utm);
  return compileLink({
    id,
    projectId,
    teamId,
    domain,
    slug,
    destination: link.destination,
    utm,
    expiredDestination: link.expiredDestination,
    clickLimit: link.clickLimit,
    clicks: link.clicks,
    routing: link.routing as StoredRouting | null,
    archivedAt: link.archivedAt,
    flaggedAt: link.flaggedAt,
    startsAt: link.startsAt,
    expiresAt: link.expiresAt,
    passwordHash: link.passwordHash,
    title: link.title,
    preview: link.preview,
    line: linkInLine({ teamId, projectId, linkId: id, domain, slug, utm, tagIds }),
    apps: sharedApps(JSON.stringify(link.owner.apps)),
  });
}

/** Of all links of a project. */
const sharedApps = sharing<string, App[]>((apps) => JSON.parse(apps));

function completeUtm(utm: Link['utm']) {
  if (!utm) return null;
  const { source = null, medium = null, campaign = null, term = null, content = null } = utm;
  return { source, medium, campaign, term, content };
}
