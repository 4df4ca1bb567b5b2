import type { CurrentKey, Link } from '../sdk/client/index.ts';
import type { Context } from './context.ts';

const ID = /^(lnk_|ext_)/;

/** The id of a link that was named by its id, `ext_…`, short URL, `domain/slug`, or its slug on the default domain. */
export async function resolveLink(context: Context, named: string): Promise<string> {
  return ID.test(named) ? named : (await findLink(context, named)).id;
}

/** The link that was named in one of these ways. */
export async function findLink(context: Context, named: string): Promise<Link> {
  if (ID.test(named)) return context.json<Link>('getLink', { variables: { id: named } });
  const asked = lookupOf(named);
  const query = 'slug' in asked && !asked.domain ? { ...asked, domain: await defaultDomain(context) } : asked;
  return context.json<Link>('lookupLink', { query });
}

/** The host of links that say none: of the profile, or of the project. */
async function defaultDomain(context: Context): Promise<string> {
  const { domain } = context.profile;
  if (domain.value !== null) return domain.value;
  return (await context.json<CurrentKey>('getCurrentKey')).project.default_domain;
}

/** What `GET /links/lookup` is asked for. A first part with a dot or a port is a host. */
export function lookupOf(named: string): { short_url: string } | { domain?: string; slug: string } {
  if (/^https?:\/\//i.test(named)) return { short_url: named };
  const slash = named.indexOf('/');
  const host = slash > 0 ? named.slice(0, slash) : '';
  return /[.:]/.test(host) || host === 'localhost' ? { domain: host, slug: named.slice(slash + 1) } : { slug: named };
}
