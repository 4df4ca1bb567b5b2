import { LRUCache } from 'lru-cache';
import { select } from '../db/database.ts';
import { config } from '../kernel/config.ts';
import { signals } from '../kernel/signals.ts';
import { compileTarget } from '../routing/destinationUrl.ts';

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
  /** Throws when the store is down and memory does not know. */
  find(host: string): Promise<LinkDomain | null>;
  close(): void;
}

const TTL_MS = 60_000;
/** Whoever sends made-up Host headers must not fill memory. */
const REMEMBERED = 10_000;

interface Entry {
  domain: LinkDomain | null;
  /** Milliseconds of the monotonic clock. */
  freshUntil: number;
}

/** The default link domain and the verified ones of projects. What was found goes on while the store is down. */
export function openLinkDomains(): LinkDomains {
  const entries = new LRUCache<string, Entry>({ max: REMEMBERED });
  /** What is read from the store while it changes may be what it was before. */
  let changes = 0;
  const forget = (hostname: string) => {
    changes += 1;
    entries.delete(hostname);
  };
  const forgetAll = () => {
    changes += 1;
    entries.clear();
  };
  const unsubscribe = [signals.on('domain', forget), signals.onMissed(forgetAll)];
  let shared: LinkDomain | null = null;

  const peek = (host: string) => {
    if (host === config.linkDomain) {
      if (shared?.hostname !== host) shared = sharedDomain();
      return shared;
    }
    const entry = entries.get(host);
    return entry && performance.now() < entry.freshUntil ? entry.domain : undefined;
  };
  return {
    peek,
    async find(host) {
      const known = peek(host);
      if (known !== undefined) return known;
      const before = entries.get(host);
      const changesBefore = changes;
      try {
        const domain = await loadDomain(host);
        const isSure = changes === changesBefore;
        entries.set(host, { domain, freshUntil: isSure ? performance.now() + TTL_MS : 0 });
        return domain;
      } catch (error) {
        if (before?.domain) return before.domain;
        throw error;
      }
    },
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
  const [row] = await select<Omit<LinkDomain, 'hostname'>>(
    `SELECT project_id AS "projectId", root_destination AS "rootDestination",
       not_found_destination AS "notFoundDestination", expired_destination AS "expiredDestination"
     FROM domains WHERE hostname = :hostname AND kind = 'link' AND verified_at IS NOT NULL
     ORDER BY verified_at LIMIT 1`,
    { hostname },
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
