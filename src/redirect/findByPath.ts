import { leadingSlugs, slugFromPath } from '../routing/slug.ts';
import type { CachedLink, LinkCache } from './LinkCache.ts';
import type { LinkDomain } from './linkDomains.ts';
import type { RedirectLink } from './loadLink.ts';

/** A link found by path. `rest`: the path after the slug, starting with `/`; empty unless the link forwards paths. */
export interface PathMatch {
  link: RedirectLink | null;
  rest: string;
}

const NOTHING: PathMatch = { link: null, rest: '' };

/** The match if memory is certain of it; undefined if the store must be queried by `findByPath`. */
export function peekByPath(cache: LinkCache, domain: LinkDomain, path: string): PathMatch | undefined {
  const slug = slugFromPath(path);
  const link = slug === null ? null : followedOn(domain, cache.peek(domain.hostname, slug));
  if (link) return { link, rest: '' };
  // Without a second slash there is no shorter slug that could forward the rest.
  return link === null && path.lastIndexOf('/') === 0 ? NOTHING : undefined;
}

/**
 * Finds the link for a raw request path: the one whose slug is the whole path, else the one with the longest slug before
 * a `/` that forwards what follows. Throws if the answer is not cached and the store is down.
 */
export async function findByPath(cache: LinkCache, domain: LinkDomain, path: string): Promise<PathMatch> {
  const slug = slugFromPath(path);
  if (slug === null) return findForwarding(cache, domain, path);
  const found = await find(cache, domain, slug);
  return found ? { link: found, rest: '' } : findForwarding(cache, domain, path);
}

async function find(cache: LinkCache, domain: LinkDomain, slug: string): Promise<CachedLink> {
  const { hostname } = domain;
  return followedOn(domain, cache.peek(hostname, slug) ?? (await cache.find(hostname, slug)));
}

/** Drops links of a project that has lost the domain to another project: following them would mislead visitors. */
function followedOn<Link extends CachedLink | undefined>({ projectId }: LinkDomain, link: Link): Link | null {
  return link && projectId !== null && link.projectId !== projectId ? null : link;
}

async function findForwarding(cache: LinkCache, domain: LinkDomain, path: string): Promise<PathMatch> {
  for (const { slug, rest } of leadingSlugs(path)) {
    const found = await find(cache, domain, slug);
    if (found?.routing.forwardPath) return { link: found, rest };
  }
  return NOTHING;
}
