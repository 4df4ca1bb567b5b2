import { ofLiveProject } from '../access/notDeleted.ts';
import { config } from '../kernel/config.ts';
import { signals } from '../kernel/signals.ts';
import { compileTarget } from '../routing/destinationUrl.ts';
import { queryForRedirects } from './loadLink.ts';
import { StoreCache } from './StoreCache.ts';

/** A host of short links. Its destinations are safe in a header. */
export interface LinkDomain {
  hostname: string;
  /** Null for the default link domain, which all projects share. */
  projectId: string | null;
  rootDestination: string | null;
  notFoundDestination: string | null;
  expiredDestination: string | null;
  /** Its project is deleted: what visitors ask for is unknown, and nobody is told of it. */
  isDeleted: boolean;
}

export interface LinkDomains {
  /** The domain, or null if the host is not a link domain; undefined if the store must be queried by `find`. */
  peek(host: string): LinkDomain | null | undefined;
  /** The same from the store. Throws if the host is not cached and the store is down. */
  find(host: string): Promise<LinkDomain | null>;
  /** Takes over a domain of a snapshot. */
  remember(domain: LinkDomain): void;
  close(): void;
}

const TTL_MS = 60_000;
/** Bounds the memory that invented Host headers can take. */
const MAX_CACHED = 10_000;

/** The default link domain and the verified ones of projects. See `StoreCache` for what happens while the store is down. */
export function openLinkDomains(): LinkDomains {
  const domains = new StoreCache<LinkDomain>({ max: MAX_CACHED, load: loadDomain, ttlMs: () => TTL_MS });
  const unsubscribe = [
    signals.on('domain', (hostname) => domains.invalidate(hostname)),
    signals.onMissed(() => domains.expireAll()),
  ];
  let shared: LinkDomain | null = null;
  return {
    peek(host) {
      if (host !== config.linkDomain) return domains.peek(host);
      if (shared?.hostname !== host) shared = sharedDomain();
      return shared;
    },
    find: (host) => domains.find(host),
    remember: (domain) => domains.remember(domain.hostname, domain),
    close() {
      for (const end of unsubscribe) end();
    },
  };
}

/** The default link domain, from the settings. */
export function sharedDomain(): LinkDomain {
  return {
    hostname: config.linkDomain,
    projectId: null,
    rootDestination: location(config.rootDestination),
    notFoundDestination: location(config.notFoundDestination),
    expiredDestination: location(config.expiredDestination),
    isDeleted: false,
  };
}

async function loadDomain(hostname: string): Promise<LinkDomain | null> {
  const [row] = await queryForRedirects<LinkDomain>(`${SELECT} AND hostname = $1 ORDER BY verified_at LIMIT 1`, [
    hostname,
  ]);
  return row ? domainOf(row) : null;
}

/** The link domains of projects, as many as fit in memory. */
export async function loadDomains(): Promise<LinkDomain[]> {
  return firstOfEach(await queryForRedirects<LinkDomain>(`${SELECT} ORDER BY verified_at LIMIT $1`, [MAX_CACHED]));
}

/** Those of these hosts that are link domains of projects. PostgreSQL alone. */
export async function loadDomainsNamed(hostnames: readonly string[]): Promise<LinkDomain[]> {
  return firstOfEach(
    await queryForRedirects<LinkDomain>(`${SELECT} AND hostname = ANY($1) ORDER BY verified_at`, [hostnames]),
  );
}

function firstOfEach(rows: readonly LinkDomain[]): LinkDomain[] {
  const first = new Map<string, LinkDomain>();
  for (const row of rows) if (!first.has(row.hostname)) first.set(row.hostname, domainOf(row));
  return [...first.values()];
}

const SELECT = `SELECT hostname, project_id AS "projectId", root_destination AS "rootDestination",
    not_found_destination AS "notFoundDestination", expired_destination AS "expiredDestination",
    NOT ${ofLiveProject('domains.project_id')} AS "isDeleted"
  FROM domains WHERE kind = 'link' AND verified_at IS NOT NULL`;

function domainOf(row: LinkDomain): LinkDomain {
  const isDeleted = Boolean(row.isDeleted);
  return {
    hostname: row.hostname,
    projectId: row.projectId,
    isDeleted,
    rootDestination: isDeleted ? null : location(row.rootDestination),
    notFoundDestination: location(row.notFoundDestination),
    expiredDestination: location(row.expiredDestination),
  };
}

function location(destination: string | null): string | null {
  return destination === null ? null : compileTarget(destination, null).url;
}
