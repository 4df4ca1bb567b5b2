import { slugFromPath } from '../routing/slug.ts';
import type { LinkDomain } from './domains.ts';
import type { Found, LinkCache } from './LinkCache.ts';
import type { RedirectLink } from './loadLink.ts';

/** `rest`: what stood in the path behind the slug, from its `/`; empty unless the link forwards paths. */
export interface FoundByPath {
  link: RedirectLink | null;
  rest: string;
}

const NOTHING: FoundByPath = { link: null, rest: '' };

/** A path with more segments than this is not tried piece by piece. */
const MAX_SEGMENTS = 8;

/** What memory is sure of; undefined when the store must be asked by `findByPath`. */
export function peekByPath(cache: LinkCache, domain: LinkDomain, path: string): FoundByPath | undefined {
  const slug = slugFromPath(path);
  const link = slug === null ? null : followedOn(domain, cache.peek(domain.hostname, slug));
  if (link) return { link, rest: '' };
  // Without a second slash there is nothing before it that could forward the rest.
  return link === null && path.lastIndexOf('/') === 0 ? NOTHING : undefined;
}

/**
 * The link that a raw request path asks for: the one whose slug is the whole path, else the one with the longest slug
 * before a `/` that forwards what follows. Throws when the store is down and memory does not know.
 */
export async function findByPath(cache: LinkCache, domain: LinkDomain, path: string): Promise<FoundByPath> {
  const slug = slugFromPath(path);
  if (slug === null) return findForwarding(cache, domain, path);
  const found = await find(cache, domain, slug);
  return found ? { link: found, rest: '' } : findForwarding(cache, domain, path);
}

async function find(cache: LinkCache, domain: LinkDomain, slug: string): Promise<Found> {
  const { hostname } = domain;
  return followedOn(domain, cache.peek(hostname, slug) ?? (await cache.find(hostname, slug)));
}

/** Who has lost a domain to another keeps links there, which must not be followed: nobody would know whose they are. */
function followedOn<Link extends Found | undefined>({ projectId }: LinkDomain, link: Link): Link | null {
  return link && projectId !== null && link.projectId !== projectId ? null : link;
}

async function findForwarding(cache: LinkCache, domain: LinkDomain, path: string): Promise<FoundByPath> {
  let tried = 0;
  for (let end = path.lastIndexOf('/'); end > 0 && tried < MAX_SEGMENTS; end = path.lastIndexOf('/', end - 1)) {
    tried += 1;
    const slug = slugFromPath(path.slice(0, end));
    const found = slug === null ? null : await find(cache, domain, slug);
    if (found?.routing.forwardPath) return { link: found, rest: path.slice(end) };
  }
  return NOTHING;
}
