import { ofLiveProject } from '../access/notDeleted.ts';
import { type EncodedLink, encodeLink } from '../clicks/click.ts';
import { jsonArray, jsonObject, jsonValue } from '../db/dialects.ts';
import { queryDetached } from '../db/query.ts';
import { readRows } from '../db/rows.ts';
import { Link } from '../models/Link.ts';
import type { App } from '../models/Project.ts';
import { type CompiledLink, compileLink, type StoredRouting } from '../routing/compiledLink.ts';
import { internedText, interning } from '../routing/intern.ts';
import { completeUtm } from '../routing/utm.ts';

/** A link as redirects need it: compiled, with the fields that matter after the routing. */
export interface RedirectLink extends CompiledLink {
  passwordHash: string | null;
  preview: Link['preview'];
  /** The part of its click lines that is the same for every click, including its tags. */
  line: EncodedLink;
  /** Apps of its project. */
  apps: App[];
}

/** Columns that come from other tables, as JSON. */
function relatedColumns(): Record<'owner' | 'tagIds', string> {
  const owner = jsonObject({ teamId: 'team_id', apps: jsonValue('apps') });
  return {
    owner: `(SELECT ${owner} FROM projects WHERE projects.id = links.project_id)`,
    tagIds: `(SELECT ${jsonArray('tag_id', 'tag_id')} FROM link_tags WHERE link_tags.link_id = links.id)`,
  };
}

/** No visitor waits this long: see `StoreCache`. */
const LOOK_UP_MS = 3000;

/** Queries rows for redirects, with a time limit, so that a dead connection does not delay the next query. */
export function queryForRedirects<Row extends object>(sql: string, values: readonly unknown[]): Promise<Row[]> {
  return queryDetached(sql, values, LOOK_UP_MS);
}

/** The link at an address, compiled for redirects; null if there is none, or its project is deleted. */
export function loadLink(domain: string, slug: string): Promise<RedirectLink | null> {
  return load('domain = $1 AND slug = $2', [domain, slug]);
}

/** The same, by id. */
export function loadLinkById(id: string): Promise<RedirectLink | null> {
  return load('id = $1', [id]);
}

/** One statement only: after a restart, every link is loaded once while visitors wait. */
async function load(condition: string, values: string[]): Promise<RedirectLink | null> {
  const [row] = await rowsWhere(condition, values);
  return row ? compileRow(row) : null;
}

/** A link before it is compiled, as plain values that JSON can hold. */
export type RedirectRow = Pick<
  Link,
  | 'id'
  | 'projectId'
  | 'domain'
  | 'slug'
  | 'destination'
  | 'utm'
  | 'expiredDestination'
  | 'clickLimit'
  | 'clicks'
  | 'routing'
  | 'archivedAt'
  | 'flaggedAt'
  | 'startsAt'
  | 'expiresAt'
  | 'passwordHash'
  | 'preview'
> & { owner: { teamId: string; apps: App[] }; tagIds: string[] };

/** The links with these ids whose projects are not deleted, in no particular order. PostgreSQL alone. */
export function loadRows(ids: readonly string[]): Promise<RedirectRow[]> {
  return rowsWhere('id = ANY($1)', [ids]);
}

/** The same by their addresses, `domain/slug`. */
export function loadRowsAt(addresses: readonly string[]): Promise<RedirectRow[]> {
  const slashes = addresses.map((address) => address.indexOf('/'));
  const domains = addresses.map((address, at) => address.slice(0, slashes[at]));
  const slugs = addresses.map((address, at) => address.slice((slashes[at] as number) + 1));
  const condition = '(domain, slug) IN (SELECT * FROM unnest(CAST($1 AS TEXT[]), CAST($2 AS TEXT[])))';
  return rowsWhere(condition, [domains, slugs]);
}

async function rowsWhere(condition: string, values: readonly unknown[]): Promise<RedirectRow[]> {
  return (await readRows(Link, `${condition} AND ${ofLiveProject('links.project_id')}`, values, {
    extraColumns: relatedColumns(),
    select: queryForRedirects,
  })) as (Link & RedirectRow)[];
}

/** Prepares a link for redirects. */
export function compileRow(link: RedirectRow): RedirectLink {
  const { id, slug, tagIds } = link;
  const domain = internedText(link.domain);
  const projectId = internedText(link.projectId);
  const teamId = internedText(link.owner.teamId);
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
    preview: link.preview,
    line: encodeLink({ teamId, projectId, linkId: id, domain, slug, utm, tagIds }),
    apps: sharedApps(JSON.stringify(link.owner.apps)),
  });
}

/** Links of a project share one list of apps. */
const sharedApps = interning<string, App[]>((apps) => JSON.parse(apps));
