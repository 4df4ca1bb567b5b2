import { Resolver as Channel } from 'node:dns/promises';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { config } from '../kernel/config.ts';

interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Returns every address of a host name, IPv4 first. Rejects with a DNS error code; see `isNoSuchName`. */
export type Resolver = (hostname: string) => Promise<ResolvedAddress[]>;

interface ResolverOptions extends Pick<DnsOptions, 'servers'> {
  /** Limit for one name, from the first query to the last answer. */
  timeoutMs: () => number;
  hostsFile?: string;
}

/** Names under localhost never leave the machine, whatever a name server says (RFC 6761). */
const LOOPBACK: ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Looks names up as the system would: localhost, hosts file, DNS. A name that hangs does not delay other names. */
export function createResolver({ timeoutMs, servers, hostsFile: path = '/etc/hosts' }: ResolverOptions): Resolver {
  const listed = hostsFile(path);
  // Concurrent lookups of one name share a query. Answers are not cached, so DNS changes take effect at once.
  const pending = new Map<string, ReturnType<Resolver>>();
  return async (hostname) => {
    if (hostname === 'localhost' || hostname.endsWith('.localhost')) return LOOPBACK;
    const known = listed(hostname);
    if (known.length > 0) return known;
    const running = pending.get(hostname);
    if (running) return running;
    const query = queryDns(hostname, { timeoutMs: timeoutMs(), ...(servers && { servers }) }).finally(() =>
      pending.delete(hostname),
    );
    pending.set(hostname, query);
    return query;
  };
}

export const systemResolver = createResolver({ timeoutMs: () => config.webhookDnsMilliseconds });

/** Some name servers never answer for one address family: once the other has answered, it gets this much longer. */
const OTHER_FAMILY_MS = 1000;

/** Codes for a name that has no address, as opposed to a name server that fails or does not answer. */
const NO_SUCH_NAME = ['ENOTFOUND', 'ENODATA', 'EBADNAME'];

interface DnsOptions {
  timeoutMs: number;
  /** `address` or `address:port`; default: DNS_SERVERS, or those of the system. */
  servers?: string[];
}

/**
 * Queries both address families at once and returns their addresses, IPv4 first; those of one family if the other has
 * none or fails. Rejects with a DNS error code, ETIMEOUT after `timeoutMs`; see `isNoSuchName`.
 *
 * Uses c-ares instead of the system's getaddrinfo, which would occupy one of the few threads that all file I/O shares
 * for as long as a name hangs.
 */
async function queryDns(hostname: string, { timeoutMs, servers }: DnsOptions): Promise<ResolvedAddress[]> {
  const channel = openDnsChannel(servers);
  const cancel = () => channel.cancel();
  const timers = [setTimeout(cancel, timeoutMs)];
  const addressesOf = async (family: 4 | 6): Promise<ResolvedAddress[]> => {
    const addresses = await (family === 4 ? channel.resolve4(hostname) : channel.resolve6(hostname));
    timers.push(setTimeout(cancel, OTHER_FAMILY_MS));
    return addresses.map((address) => ({ address, family }));
  };
  const answers = await Promise.allSettled([addressesOf(4), addressesOf(6)]);
  for (const timer of timers) clearTimeout(timer);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found;
  throw lookupError(answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : [])));
}

/** Whether DNS answered that the name has no address. */
export function isNoSuchName(error: unknown): boolean {
  return NO_SUCH_NAME.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** A name does not exist only if both answers say so; otherwise the failure counts. */
function lookupError(errors: NodeJS.ErrnoException[]): Error {
  const failure = errors.find((error) => !isNoSuchName(error)) ?? errors[0];
  if (failure && failure.code !== 'ECANCELLED') return failure;
  return Object.assign(new Error('No name server answered in time'), { code: 'ETIMEOUT' });
}

/** An unanswered query is sent to the next name server after this time, then after twice as long, and so on. */
const RETRY_MS = 1000;
const TRIES = 4;

/**
 * Opens a channel to the name servers (`address` or `address:port`; null: those of the system). Use one channel for each
 * query: then cancelling affects no other query, and a changed name server is used at once.
 */
export function openDnsChannel(servers: string[] | null = config.dnsServers): Channel {
  const channel = new Channel({ timeout: RETRY_MS, tries: TRIES });
  if (servers) channel.setServers(servers);
  return channel;
}

/** Returns a lookup in a hosts file: the addresses of a name, IPv4 first. Reads the file again when it has changed. */
function hostsFile(path: string): (hostname: string) => ResolvedAddress[] {
  let names = new Map<string, ResolvedAddress[]>();
  let version = '';
  return (hostname) => {
    const found = versionOf(path);
    if (found !== version) {
      names = found ? parseHosts(readFileSync(path, 'utf8')) : new Map();
      version = found;
    }
    return names.get(hostname) ?? [];
  };
}

/** Empty if there is no file. Synchronous on purpose: it takes microseconds and none of the threads for file I/O. */
function versionOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : '';
}

function parseHosts(text: string): Map<string, ResolvedAddress[]> {
  const names = new Map<string, ResolvedAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...listed] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    const family = isIP(address);
    // An address with a zone is meaningful on one interface only, and useless to a webhook.
    if ((family !== 4 && family !== 6) || address.includes('%')) continue;
    for (const name of listed) names.set(name, ordered([...(names.get(name) ?? []), { address, family }]));
  }
  return names;
}

function ordered(found: ResolvedAddress[]): ResolvedAddress[] {
  return found.sort((one, other) => one.family - other.family);
}
