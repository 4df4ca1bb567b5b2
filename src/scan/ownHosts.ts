import { inList, inListValue } from '../db/dialects.ts';
import { ofStore } from '../db/ofStore.ts';
import { queryRaw } from '../db/query.ts';
import { config } from '../kernel/config.ts';
import { baseHost, isOwnPath, linkOrigin } from '../kernel/origins.ts';
import { ReadThroughCache } from '../kernel/ReadThroughCache.ts';
import { signals } from '../kernel/signals.ts';
import { mapYielding } from '../kernel/yield.ts';
import { isOwnHost, type OwnHost, parseOwnHost } from '../net/ownHost.ts';
import { registrableDomain, skeletonOf } from './domainName.ts';
import { parseTarget, type ScannedUrl, type Target } from './target.ts';

export interface OwnHosts {
  /** Hosts of short links. */
  linkDomains: OwnHost[];
  /** Hosts of the API, the dashboard and the SDK endpoints. */
  serviceHosts: OwnHost[];
  /** Registrable domains of this service, those of customers excepted. */
  domains: ReadonlySet<string>;
  /** Skeleton of each of these domains → a host under it; see `skeletonOf`. */
  skeletons: ReadonlyMap<string, string>;
}

/** The hosts of this installation and its settings. `customers`: link domains of projects that matter for this scan. */
export function ownHosts(customers: Iterable<string> = []): OwnHosts {
  const shared = [parseOwnHost(config.linkDomain)];
  const linkDomains = [
    ...shared,
    ...[...customers].map((hostname) => parseOwnHost(new URL(linkOrigin(hostname)).host)),
  ];
  const serviceHosts = [baseHost(), ...(config.sdkUrl ? [new URL(config.sdkUrl).host] : [])].map(parseOwnHost);
  const byDomain = new Map<string, string>();
  // Guards only the names of this service, not those of customers: their owners may register similar names themselves.
  for (const { hostname } of [...serviceHosts, ...shared]) {
    const domain = registrableDomain(hostname);
    if (domain) byDomain.set(domain, hostname);
  }
  const skeletons = new Map([...byDomain].map(([domain, hostname]) => [skeletonOf(domain), hostname]));
  return { linkDomains, serviceHosts, domains: new Set(byDomain.keys()), skeletons };
}

/** Refuses short links to short links, which form loops and chains. Pages of the service itself may be linked to. */
export function ownHostProblem({ host, url }: Target, { own }: { own: OwnHosts }): string | null {
  const isSame = (candidate: OwnHost) => isOwnHost(host, url.port, candidate);
  const isService = own.serviceHosts.some(isSame);
  if (!isService && !own.linkDomains.some(isSame)) return null;
  if (isService && isOwnPath(url.pathname)) return null;
  return `${url.host} is a host of short links of this service: a short link cannot lead to another one.`;
}

/** Links of a project lead to few hosts. */
const MAX_CACHED = 10_000;
/** Limits the damage if an announcement of another process was lost. */
const TTL_MS = 60_000;

class KnownDomains {
  /** Host → whether it is a verified link domain. */
  readonly hosts = new ReadThroughCache<boolean>({ max: MAX_CACHED, ttlMs: TTL_MS });
  readonly #subscriptions = [
    signals.on('domain', (hostname) => this.hosts.invalidate(hostname)),
    signals.onMissed(() => this.hosts.clear()),
  ];

  close(): void {
    for (const unsubscribe of this.#subscriptions) unsubscribe();
  }
}

const domains = ofStore(
  () => new KnownDomains(),
  (known) => known.close(),
);

/** The hosts of these URLs that are verified link domains of projects. Queries the store at most once. */
export async function verifiedLinkDomains(urls: readonly ScannedUrl[]): Promise<string[]> {
  const known = domains().hosts;
  const found = await mapYielding(urls, ({ url }) => webHost(url));
  const hosts = [...new Set(found.filter((host) => host !== null))];
  const isLinkDomain = new Map(hosts.map((host) => [host, known.get(host)]));
  const unknown = hosts.filter((host) => isLinkDomain.get(host) === undefined);
  for (const [host, is] of await known.load(() => lookUp(unknown))) isLinkDomain.set(host, is);
  return hosts.filter((host) => isLinkDomain.get(host) === true);
}

function webHost(url: string): string | null {
  const target = parseTarget(url);
  return target?.isWeb ? target.host : null;
}

async function lookUp(hosts: string[]): Promise<[string, boolean][]> {
  if (hosts.length === 0) return [];
  const rows = await queryRaw<{ hostname: string }>(
    `SELECT hostname FROM domains WHERE kind = 'link' AND verified_at IS NOT NULL AND ${inList('hostname', '$1')}`,
    [inListValue(hosts)],
  );
  const found = new Set(rows.map(({ hostname }) => hostname));
  return hosts.map((host) => [host, found.has(host)]);
}
