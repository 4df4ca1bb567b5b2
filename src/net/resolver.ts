import { config } from '../kernel/config.ts';
import { askDns, type DnsOptions } from './askDns.ts';
import { hostsFile } from './hostsFile.ts';

export interface Found {
  address: string;
  family: 4 | 6;
}

/** Every address of a host name, IPv4 first. Rejects with a code: see `isNoSuchName` for names that have none. */
export type Resolver = (hostname: string) => Promise<Found[]>;

export interface ResolverOptions extends Pick<DnsOptions, 'servers'> {
  /** For a name from the first question to the last answer. */
  timeoutMs: () => number;
  hostsFile?: string;
}

/** These never leave the machine, whatever a name server says (RFC 6761). */
const LOOPBACK: Found[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Looks names up as the system would: localhost, the hosts file, DNS. A name that hangs delays nobody else. */
export function createResolver({ timeoutMs, servers, hostsFile: path = '/etc/hosts' }: ResolverOptions): Resolver {
  const listed = hostsFile(path);
  // Many deliveries for one name share the answer; it is not kept, so that what changes in DNS is seen at once.
  const underWay = new Map<string, ReturnType<Resolver>>();
  return async (hostname) => {
    if (hostname === 'localhost' || hostname.endsWith('.localhost')) return LOOPBACK;
    const known = listed(hostname);
    if (known.length > 0) return known;
    const asked = underWay.get(hostname);
    if (asked) return asked;
    const question = askDns(hostname, { timeoutMs: timeoutMs(), ...(servers && { servers }) }).finally(() =>
      underWay.delete(hostname),
    );
    underWay.set(hostname, question);
    return question;
  };
}

export const systemResolver = createResolver({ timeoutMs: () => config.webhookDnsMilliseconds });
