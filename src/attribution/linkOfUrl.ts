import { readRows } from '../db/rows.ts';
import { canonicalHost } from '../kernel/origins.ts';
import { Link } from '../models/Link.ts';
import { leadingSlugs, slugFromPath } from '../routing/slug.ts';

/**
 * The project's link that a URL belongs to, if the link leads somewhere now: it must be active, and without a password,
 * which apps do not ask for. Null for every other URL.
 */
export async function linkOfUrl(projectId: string, url: string): Promise<Link | null> {
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return null;
  const domain = canonicalHost(parsed.host);
  if (domain === null) return null;
  const link = await findByPath(domain, parsed.pathname);
  const isOpen = link?.projectId === projectId && link.status === 'active' && !link.passwordProtected;
  return isOpen ? link : null;
}

/** Finds the link whose slug is the whole path, else the longest slug before a `/` whose link forwards what follows. */
async function findByPath(domain: string, path: string): Promise<Link | null> {
  const whole = slugFromPath(path);
  const link = whole === null ? null : await findLink(domain, whole);
  if (link) return link;
  for (const { slug } of leadingSlugs(path)) {
    const found = await findLink(domain, slug);
    if (found?.routing?.forward_path === true) return found;
  }
  return null;
}

async function findLink(domain: string, slug: string): Promise<Link | null> {
  const [link] = await readRows(Link, 'domain = $1 AND slug = $2', [domain, slug]);
  return link ?? null;
}
