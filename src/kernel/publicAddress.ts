import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const ALWAYS = false;
const UNLESS_PRIVATE_ALLOWED = true;

/**
 * Every range that requests of ours may not go to: CIDR block, what it is, and whether `allowPrivate` lifts the refusal.
 * The first row that holds an address decides, so metadata addresses stand before the ranges around them.
 * From the IANA IPv4 and IPv6 Special-Purpose Address Registries and the documents of the cloud providers.
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
  // Together these three are all of IPv6 but 2000::/3, the only part given out for public use.
  ['::/3', 'outside the public part of IPv6', ALWAYS],
  ['4000::/2', 'outside the public part of IPv6', ALWAYS],
  ['8000::/1', 'outside the public part of IPv6', ALWAYS],
];

const RANGES = REFUSED.map(([block, reason, liftable]) => {
  const [network, bits] = ipaddr.parseCIDR(block);
  return { network, bits, reason, liftable };
});

/** NAT64 networks reach every IPv4 receiver by this prefix (RFC 6052): the IPv4 address in the last 32 bits counts. */
const [NAT64, NAT64_BITS] = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

export interface AddressOptions {
  /** Lets loopback and private ranges through. */
  allowPrivate: boolean;
  /** It stands in a URL. DNS alone may answer with NAT64 addresses: in a URL they only hide which host is meant. */
  isWritten?: boolean;
}

/**
 * Why no request may go to `address`, for people to read; null when it is public. What is not an address in its usual
 * spelling (decimal, octal, hex, with a zone) is a problem.
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

/** Whether a network interface of this machine has the address. Those of a machine behind NAT are private ones anyway. */
export function isOfInterface(address: string, interfaces = networkInterfaces): boolean {
  const spelled = (text: string) => embedded(parse(text)).toNormalizedString();
  const wanted = spelled(address);
  return Object.values(interfaces()).some((each) => each?.some((own) => spelled(own.address) === wanted));
}

/** Whether the address is this machine's own, in whatever spelling: 127.0.0.0/8 and ::1. */
export function isLoopback(address: string): boolean {
  return embedded(parse(address)).range() === 'loopback';
}

/** The address that a URL's `hostname` spells out (IPv6 without its brackets), or null when it is a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}

/** ipaddr.js takes `::127.0.0.1` for a mapped address, which systems do not; the hex spelling of URLs means one thing. */
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
