import type { Link } from '../sdk/client/index.ts';
import type { Context } from './context.ts';

const ID = /^(lnk_|ext_)/;

/** The id of a link that was named by its id, `ext_…`, short URL, `domain/slug`, or its slug on the default domain. */
export async function resolveLink(context: Context, named: string): Promise<string> {
  if (ID.test(named)) return named;
  const { id } = await context.json<Link>('lookupLink', { query: lookupOf(named) });
  return id;
}

/** What `GET /links/lookup` is asked for. A first part with a dot or a port is a host. */
export function lookupOf(named: string): { short_url: string } | { domain?: string; slug: string } {
  if (/^https?:\/\//i.test(named)) return { short_url: named };
  const slash = named.indexOf('/');
  const host = slash > 0 ? named.slice(0, slash) : '';
  return /[.:]/.test(host) || host === 'localhost' ? { domain: host, slug: named.slice(slash + 1) } : { slug: named };
}
