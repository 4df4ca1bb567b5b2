import { config } from '../kernel/config.ts';
import { signals } from '../kernel/signals.ts';
import { compileTarget } from '../routing/destinationUrl.ts';
import { lookUp } from './loadLink.ts';
import { Remembered } from './Remembered.ts';

/** A host that short links are followed on. Destinations are safe in a header. */
export interface LinkDomain {
  hostname: string;
  /** Null: the default link domain, which all projects share. */
  projectId: string | null;
  rootDestination: string | null;
  notFoundDestination: string | null;
  expiredDestination: string | null;
}

export interface LinkDomains {
  /** The domain if memory knows it; undefined when `find` must be asked. Null: no host of ours. */
  peek(host: string): LinkDomain | null | undefined;
  /** Throws when the store is away and memory does not know. */
  find(host: string): Promise<LinkDomain | null>;
  close(): void;
}

const TTL_MS = 60_000;
/** Whoever sends made-up Host headers must not fill memory. */
const REMEMBERED = 10_000;

/**
 * The default link domain and the verified ones of projects. What was found goes on while the store is away: see
 * `Remembered`.
 */
export function openLinkDomains(): LinkDomains {
  const domains = new Remembered<LinkDomain>({ max: REMEMBERED, load: loadDomain, ttlMs: () => TTL_MS });
  const unsubscribe = [
    signals.on('domain', (hostname) => domains.forget(hostname)),
    signals.onMissed(() => domains.doubt()),
  ];
  let shared: LinkDomain | null = null;
  return {
    peek(host) {
      if (host !== config.linkDomain) return domains.peek(host);
      if (shared?.hostname !== host) shared = sharedDomain();
      return shared;
    },
    find: (host) => domains.find(host),
    close() {
      for (const end of unsubscribe) end();
    },
  };
}

/** As the settings say. */
export function sharedDomain(): LinkDomain {
  return {
    hostname: config.linkDomain,
    projectId: null,
    rootDestination: location(config.rootDestination),
    notFoundDestination: location(config.notFoundDestination),
    expiredDestination: location(config.expiredDestination),
  };
}

async function loadDomain(hostname: string): Promise<LinkDomain | null> {
  const [row] = await lookUp<Omit<LinkDomain, 'hostname'>>(
    `SELECT project_id AS "projectId", root_destination AS "rootDestination",
       not_found_destination AS "notFoundDestination", expired_destination AS "expiredDestination"
     FROM domains WHERE hostname = $1 AND kind = 'link' AND verified_at IS NOT NULL
     ORDER BY verified_at LIMIT 1`,
    [hostname],
  );
  if (!row) return null;
  return {
    hostname,
    projectId: row.projectId,
    rootDestination: location(row.rootDestination),
    notFoundDestination: location(row.notFoundDestination),
    expiredDestination: location(row.expiredDestination),
  };
}

function location(destination: string | null): string | null {
  return destination === null ? null : compileTarget(destination, null).url;
}
