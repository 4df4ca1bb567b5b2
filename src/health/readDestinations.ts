import { Op } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { DAY_MS } from '../kernel/durations.ts';
import type { Domain } from '../models/Domain.ts';
import { Link } from '../models/Link.ts';
import type { Destination } from './readSubject.ts';

/** Of the links that were followed last, the most followed ones: what is read does not grow with the project. */
const FOLLOWED_LAST = 200;
const MOST_FOLLOWED = 10;
/** Of one project, in one run. */
const MOST_URLS = 20;

/**
 * Default destinations of domains, and where the most followed links of the last day lead; each URL of the web once. And
 * whether some that were followed open apps.
 */
export async function readDestinations(
  projectId: string,
  domains: Domain[],
): Promise<{ destinations: Destination[]; opensApps: boolean }> {
  const followed = await followedLinks(projectId);
  const mostFollowed = followed.sort((one, other) => other.clicks - one.clicks).slice(0, MOST_FOLLOWED);
  const found = [...domains.flatMap(ofDomain), ...mostFollowed.flatMap(ofLink)];
  const byUrl = new Map<string, Destination>();
  for (const destination of found) {
    if (isOfWeb(destination.url) && !byUrl.has(destination.url)) byUrl.set(destination.url, destination);
  }
  const destinations = [...byUrl.values()].slice(0, MOST_URLS);
  return { destinations, opensApps: followed.some(({ routing }) => routing?.open_app === true) };
}

/** Links that lead nowhere just now are left out. */
async function followedLinks(projectId: string): Promise<Link[]> {
  const links = await Link.findAll({
    where: { projectId, lastClickedAt: { [Op.gte]: new Date(clock.now() - DAY_MS) } },
    order: [
      ['lastClickedAt', 'DESC'],
      ['id', 'DESC'],
    ],
    limit: FOLLOWED_LAST,
  });
  return links.filter(({ status }) => status === 'active');
}

function ofDomain(domain: Domain): Destination[] {
  const { hostname, rootDestination, notFoundDestination, expiredDestination } = domain;
  const urls = [rootDestination, notFoundDestination, expiredDestination].filter((url) => url !== null);
  return urls.map((url) => ({ url, of: hostname }));
}

/** With a split nobody is sent to the destination itself. */
function ofLink(link: Link): Destination[] {
  const split = (link.routing?.split ?? []) as { destination: string }[];
  const urls = split.length > 0 ? split.map(({ destination }) => destination) : [link.destination];
  return urls.map((url) => ({ url, of: link.shortUrl }));
}

/** Schemes of apps cannot be asked. */
function isOfWeb(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}
