import { readModels } from '../../db/readModels.ts';
import { canonicalHost } from '../../kernel/origins.ts';
import { Link } from '../../models/Link.ts';
import { slugFromPath } from '../../routing/slug.ts';

/** A path with more segments than this is not tried piece by piece, as with redirects. */
const MAX_SEGMENTS = 8;

/**
 * The project's link that a URL is the address of, if it leads somewhere now: not flagged, archived, expired or still to
 * begin, and not behind a password, which nobody has been asked for. Null for everything else.
 */
export async function linkOfUrl(projectId: string, url: string): Promise<Link | null> {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return null;
  const domain = canonicalHost(parsed.host);
  if (domain === null) return null;
  const link = await findByPath(domain, parsed.pathname);
  const isOpen = link?.projectId === projectId && link.status === 'active' && !link.passwordProtected;
  return isOpen ? link : null;
}

/** The link whose slug is the whole path, else the one with the longest slug before a `/` that forwards what follows. */
async function findByPath(domain: string, path: string): Promise<Link | null> {
  const whole = await find(domain, path);
  if (whole) return whole;
  let tried = 0;
  for (let end = path.lastIndexOf('/'); end > 0 && tried < MAX_SEGMENTS; end = path.lastIndexOf('/', end - 1)) {
    tried += 1;
    const found = await find(domain, path.slice(0, end));
    if (found?.routing?.forward_path === true) return found;
  }
  return null;
}

async function find(domain: string, path: string): Promise<Link | null> {
  const slug = slugFromPath(path);
  const [link] = slug === null ? [] : await readModels(Link, 'domain = $1 AND slug = $2', [domain, slug]);
  return link ?? null;
}
