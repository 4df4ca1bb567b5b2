import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const ALWAYS = false;
const UNLESS_PRIVATE_ALLOWED = true;

/**
 * The ranges to which this product sends no requests (protection against server-side request forgery): CIDR block, what it
 * is, and whether `allowPrivate` permits it. The first row that contains an address decides, so metadata addresses precede
 * the ranges around them. Sources: the IANA IPv4 and IPv6 Special-Purpose Address Registries and the cloud providers.
 */
const REFUSED: [block: string, reason: string, liftable: boolean][] = [
  ['169.254.169.254/32', 'a cloud metadata address', ALWAYS],
  ['169.254.170.2/32', 'a cloud metadata address (AWS ECS)', ALWAYS],
  ['100.100.100.200/32', 'a cloud metadata address (Alibaba)', ALWAYS],
  ['168.63.129.16/32', 'a cloud metadata address (Azure)', ALWAYS],
  ['192.0.0.192/32', 'a cloud metadata address (Oracle)', ALWAYS],
  ['0.0.0.0/8', 'an address of "this network"', ALWAYS],
  ['10.0.0.0/8', 'a private address', UNLESS_PRIVATE_ALLOWED],
  ['100.64.0.0/10', 'an address shared by the customers of a carrier', ALWAYS],
  ['127.0.0.0/8', 'a loopback address', UNLESS_PRIVATE_ALLOWED],
  ['169.254.0.0/16', 'a link-local address', ALWAYS],
  ['172.16.0.0/12', 'a private address', UNLESS_PRIVATE_ALLOWED],
  ['192.0.0.0/24', 'reserved for protocols', ALWAYS],
  ['192.0.2.0/24', 'reserved for documentation', ALWAYS],
  ['192.31.196.0/24', 'reserved for AS112, which answers for private names', ALWAYS],
  ['192.52.193.0/24', 'reserved for AMT relays', ALWAYS],
  ['192.175.48.0/24', 'reserved for AS112, which answers for private names', ALWAYS],
  ['192.88.99.0/24', 'a former 6to4 relay address', ALWAYS],
  ['192.168.0.0/16', 'a private address', UNLESS_PRIVATE_ALLOWED],
  ['198.18.0.0/15', 'reserved for benchmarks', ALWAYS],
  ['198.51.100.0/24', 'reserved for documentation', ALWAYS],
  ['203.0.113.0/24', 'reserved for documentation', ALWAYS],
  ['224.0.0.0/4', 'a multicast address', ALWAYS],
  ['255.255.255.255/32', 'the broadcast address', ALWAYS],
  ['240.0.0.0/4', 'reserved', ALWAYS],
  ['fd00:ec2::/32', 'a cloud metadata address (AWS)', ALWAYS],
  ['fd20:ce::/32', 'a cloud metadata address (Google)', ALWAYS],
  ['fd00:c1::a9fe:a9fe/128', 'a cloud metadata address (Oracle)', ALWAYS],
  ['fd00:100::100:200/128', 'a cloud metadata address (Alibaba)', ALWAYS],
  ['fd00:a9fe:a9fe::/48', 'a cloud metadata address (Linode)', ALWAYS],
  ['fd00:42::42/128', 'a cloud metadata address (Scaleway)', ALWAYS],
  ['::1/128', 'a loopback address', UNLESS_PRIVATE_ALLOWED],
  ['fc00::/7', 'a private address', UNLESS_PRIVATE_ALLOWED],
  ['fe80::/10', 'a link-local address', ALWAYS],
  ['fec0::/10', 'a site-local address', ALWAYS],
  ['ff00::/8', 'a multicast address', ALWAYS],
  ['2001::/23', 'reserved for protocols (Teredo, ORCHID)', ALWAYS],
  ['2001:db8::/32', 'reserved for documentation', ALWAYS],
  ['2002::/16', 'a 6to4 address, which hides an IPv4 address', ALWAYS],
  ['3fff::/20', 'reserved for documentation', ALWAYS],
  ['64:ff9b:1::/48', 'a NAT64 address of a local network, which hides an IPv4 address', ALWAYS],
  // Together these three are all of IPv6 except 2000::/3, the only part that is assigned for public use.
  ['::/3', 'outside the public part of IPv6', ALWAYS],
  ['4000::/2', 'outside the public part of IPv6', ALWAYS],
  ['8000::/1', 'outside the public part of IPv6', ALWAYS],
];

const RANGES = REFUSED.map(([block, reason, liftable]) => {
  const [network, bits] = ipaddr.parseCIDR(block);
  return { network, bits, reason, liftable };
});

/** Networks with NAT64 reach IPv4 hosts by this prefix (RFC 6052). The IPv4 address in the last 32 bits is checked. */
const [NAT64, NAT64_BITS] = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

export interface AddressOptions {
  /** Permits loopback and private ranges. */
  allowPrivate: boolean;
  /** The address is part of a URL. NAT64 addresses may come from DNS only: in a URL they hide the real host. */
  isWritten?: boolean;
}

/**
 * Why no request may go to `address`, as a sentence for people; null when it is public. Unusual spellings (one decimal
 * number, octal, hex, with a zone) are refused too.
 */
export function addressProblem(address: string, { allowPrivate, isWritten = false }: AddressOptions): string | null {
  if (isIP(address) === 0 || address.includes('%')) return `${address.slice(0, 64)} is not an IP address.`;
  const written = parse(address);
  const meant = embedded(written);
  const found = RANGES.find(
    ({ network, bits }) => network.kind() === meant.kind() && meant.match(network as ipaddr.IPv4 & ipaddr.IPv6, bits),
  );
  if (found && !(found.liftable && allowPrivate)) return `${address} is ${found.reason}.`;
  return isWritten && isNat64(written) ? `${address} is a NAT64 address, which hides an IPv4 address.` : null;
}

/** Whether a network interface of this machine has the address. Behind NAT all of them are private anyway. */
export function isInterfaceAddress(address: string, interfaces = networkInterfaces): boolean {
  const spelled = (text: string) => embedded(parse(text)).toNormalizedString();
  const wanted = spelled(address);
  return Object.values(interfaces()).some((each) => each?.some((own) => spelled(own.address) === wanted));
}

/** Whether the address is a loopback address (127.0.0.0/8 or ::1), in any spelling. */
export function isLoopback(address: string): boolean {
  return embedded(parse(address)).range() === 'loopback';
}

/** The address in the `hostname` of a URL (IPv6 without brackets); null when it is a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}

/** ipaddr.js reads `::127.0.0.1` as a mapped address, unlike operating systems; the hex form of URLs is unambiguous. */
function parse(address: string): Address {
  return ipaddr.parse(isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address);
}

function embedded(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return isNat64(address) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

function isNat64(address: Address): boolean {
  return address instanceof ipaddr.IPv6 && address.match(NAT64, NAT64_BITS);
}

/** Names that never exist in the public DNS, and why. Their subdomains are included. */
type Rows = [name: string, reason: string][];

/** Names with a meaning inside a machine or a network (RFC 6761, 6762, 8375; ICANN reserved `.internal`). */
const INSIDE: Rows = [
  ['localhost', 'is this machine'],
  ['localdomain', 'is this machine'],
  ['local', 'is only known inside a network'],
  ['internal', 'is only known inside a network'],
  ['home.arpa', 'is only known inside a network'],
];

/** The other top-level names of the IANA registry of Special-Use Domain Names. `example.com` does exist in DNS. */
const NOT_IN_DNS: Rows = [
  ['onion', 'is only known inside Tor'],
  ['alt', 'is only known outside the DNS'],
  ['test', 'is reserved for tests'],
  ['example', 'is reserved for documentation'],
  ['invalid', 'is reserved for names that do not exist'],
];

/** Host names of the metadata services of Google Cloud and AWS. */
const METADATA = [
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
];

interface SpecialNameOptions {
  /** Permits all names except those of metadata services. */
  allowPrivate: boolean;
  /** A visitor's browser resolves the name, which may know names outside the public DNS. */
  byVisitors?: boolean;
}

/** Why a host name is refused before any DNS lookup, as a sentence for people; null when it is not. */
export function specialNameProblem(
  hostname: string,
  { allowPrivate, byVisitors = false }: SpecialNameOptions,
): string | null {
  if (METADATA.includes(hostname)) return `${hostname} is the name of a cloud metadata service.`;
  if (allowPrivate) return null;
  const names = byVisitors ? INSIDE : [...INSIDE, ...NOT_IN_DNS];
  const found = names.find(([name]) => hostname === name || hostname.endsWith(`.${name}`));
  if (found)
    return hostname === found[0] ? `${hostname} ${found[1]}.` : `${hostname} ends in .${found[0]}, which ${found[1]}.`;
  return hostname.includes('.') ? null : `${hostname} is not a full host name such as www.example.com.`;
}
