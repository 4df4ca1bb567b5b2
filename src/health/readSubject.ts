import { sqlTime } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import { Op } from '../db/sequelize.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { Domain } from '../models/Domain.ts';
import { Link } from '../models/Link.ts';
import { type App, Project } from '../models/Project.ts';
import { Webhook } from '../models/Webhook.ts';
import { whyNoApps } from '../redirect/domainApps.ts';

/** Everything that the checks of a project need to know. Hosts are spelled as in URLs. */
export interface CheckSubject {
  projectId: string;
  apps: App[];
  linkDomains: string[];
  /** The link domains whose files list no app of the project, each with a message that says why and what to do. */
  withoutApps: Map<string, string>;
  /** Whether any recently clicked link opens apps. */
  opensApps: boolean;
  /** Only verified ones. */
  webDomains: string[];
  destinations: Destination[];
  webhooks: WatchedWebhook[];
  /** The number of valid keys, and when one of them was last used. */
  publishableKeys: { count: number; lastUsedAt: Date | null };
}

/** A URL that visitors are sent to. `of` is the link or the domain. */
export interface Destination {
  url: string;
  of: string;
}

export type WatchedWebhook = Pick<
  Webhook,
  'id' | 'url' | 'status' | 'disabledReason' | 'circuit' | 'consecutiveFailures'
>;

/** The most domains and webhooks that are checked, the oldest first. */
const MAX_CHECKED = 100;

/** Reads the subject of a run, outside any transaction. Null if the project does not exist. */
export async function readCheckSubject(projectId: string): Promise<CheckSubject | null> {
  const project = await Project.findByPk(projectId);
  if (!project) return null;
  const oldest = { order: [['createdAt', 'ASC']] as [string, string][], limit: MAX_CHECKED };
  const [domains, webhooks, publishableKeys] = await Promise.all([
    Domain.findAll({ where: { projectId, status: ['verified', 'failing'] }, ...oldest }),
    Webhook.findAll({
      attributes: ['id', 'url', 'status', 'disabledReason', 'circuit', 'consecutiveFailures'],
      where: { projectId },
      // Disabled and failing ones first.
      order: [
        ['status', 'ASC'],
        ['consecutiveFailures', 'DESC'],
      ],
      limit: MAX_CHECKED,
    }),
    readPublishableKeys(projectId),
  ]);
  const own = domains.filter(({ kind }) => kind === 'link');
  const linkDomains = [
    ...new Set([project.defaultDomain ?? config.linkDomain, ...own.map(({ hostname }) => hostname)]),
  ];
  return {
    projectId,
    apps: project.apps,
    linkDomains,
    withoutApps: await readWithoutApps(linkDomains, project.teamId),
    webDomains: domains
      .filter(({ kind, status }) => kind === 'web' && status === 'verified')
      .map((web) => web.hostname),
    ...(await readDestinations(projectId, own)),
    webhooks,
    publishableKeys,
  };
}

async function readWithoutApps(linkDomains: string[], teamId: string): Promise<Map<string, string>> {
  const reasons = await Promise.all(
    linkDomains.map(async (domain) => [domain, await whyNoApps(domain, teamId)] as const),
  );
  return new Map(reasons.flatMap(([domain, why]) => (why === null ? [] : [[domain, why]])));
}

async function readPublishableKeys(projectId: string): Promise<CheckSubject['publishableKeys']> {
  const [row] = await queryRaw<{ count: number; used: string | Date | null }>(
    `SELECT COUNT(*) AS count, MAX(last_used_at) AS used FROM api_keys
     WHERE project_id = $1 AND kind = 'publishable' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`,
    [projectId, sqlTime(clock.now())],
  );
  return { count: Number(row?.count ?? 0), lastUsedAt: row?.used ? new Date(row.used) : null };
}

/** Only this many recently clicked links are considered, so that the cost does not grow with the project. */
const RECENT_LINKS = 200;
const MOST_FOLLOWED = 10;
/** The most URLs that one run checks. */
const MAX_URLS = 20;

/**
 * Reads the default destinations of domains and the destinations of the links clicked most in the last day, each web URL
 * once, and whether any recently clicked link opens apps.
 */
async function readDestinations(
  projectId: string,
  domains: Domain[],
): Promise<{ destinations: Destination[]; opensApps: boolean }> {
  const followed = await followedLinks(projectId);
  const mostFollowed = followed.sort((one, other) => other.clicks - one.clicks).slice(0, MOST_FOLLOWED);
  const found = [...domains.flatMap(ofDomain), ...mostFollowed.flatMap(ofLink)];
  const byUrl = new Map<string, Destination>();
  for (const destination of found) {
    if (isWebUrl(destination.url) && !byUrl.has(destination.url)) byUrl.set(destination.url, destination);
  }
  const destinations = [...byUrl.values()].slice(0, MAX_URLS);
  return { destinations, opensApps: followed.some(({ routing }) => routing?.open_app === true) };
}

/** Leaves out links that currently lead nowhere. */
async function followedLinks(projectId: string): Promise<Link[]> {
  const links = await Link.findAll({
    where: { projectId, lastClickedAt: { [Op.gte]: new Date(clock.now() - DAY_MS) } },
    order: [
      ['lastClickedAt', 'DESC'],
      ['id', 'DESC'],
    ],
    limit: RECENT_LINKS,
  });
  return links.filter(({ status }) => status === 'active');
}

function ofDomain(domain: Domain): Destination[] {
  const { hostname, rootDestination, notFoundDestination, expiredDestination } = domain;
  const urls = [rootDestination, notFoundDestination, expiredDestination].filter((url) => url !== null);
  return urls.map((url) => ({ url, of: hostname }));
}

/** A split replaces the destination. */
function ofLink(link: Link): Destination[] {
  const split = (link.routing?.split ?? []) as { destination: string }[];
  const urls = split.length > 0 ? split.map(({ destination }) => destination) : [link.destination];
  return urls.map((url) => ({ url, of: link.shortUrl }));
}

/** Other schemes open apps and cannot be probed. */
function isWebUrl(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.parse(url) !== null;
}
