import { config } from '../kernel/config.ts';
import { baseHost, linkOrigin } from '../kernel/origins.ts';
import { readingOf, registrableDomain } from './domainName.ts';

/** A host of this installation. `port` is empty where it is the default one. */
export interface OwnHost {
  hostname: string;
  port: string;
}

export interface OwnHosts {
  /** Where short links live. */
  linkDomains: OwnHost[];
  /** Where API, dashboard and SDK endpoints answer. */
  serviceHosts: OwnHost[];
  /** The registrable domains of all of them. */
  domains: ReadonlySet<string>;
  /** What these domains read like → a host under them. */
  readings: ReadonlyMap<string, string>;
}

/** `customers`: link domains of projects that are asked about. */
export function ownHosts(customers: Iterable<string> = []): OwnHosts {
  const shared = [partsOf(config.linkDomain)];
  const linkDomains = [...shared, ...[...customers].map((hostname) => partsOf(new URL(linkOrigin(hostname)).host))];
  const serviceHosts = [baseHost(), ...(config.sdkUrl ? [new URL(config.sdkUrl).host] : [])].map(partsOf);
  const byDomain = new Map<string, string>();
  // Who registers a name decides what may look like it: only names of this service are guarded.
  for (const { hostname } of [...serviceHosts, ...shared]) {
    const domain = registrableDomain(hostname);
    if (domain) byDomain.set(domain, hostname);
  }
  const readings = new Map([...byDomain].map(([domain, hostname]) => [readingOf(domain), hostname]));
  return { linkDomains, serviceHosts, domains: new Set(byDomain.keys()), readings };
}

function partsOf(host: string): OwnHost {
  const { hostname, port } = new URL(`http://${host}`);
  return { hostname, port };
}
