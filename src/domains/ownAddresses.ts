import { config } from '../kernel/config.ts';
import { literalAddress } from '../kernel/publicAddress.ts';
import { systemResolver } from '../net/dns.ts';

/** How long resolved addresses of the link target are used. */
const TTL_MS = 300_000;

const LOOPBACK = ['127.0.0.1', '::1'];

interface Known {
  target: string;
  addresses: string[];
  /** Milliseconds of the monotonic clock. */
  askedAt: number;
}

let known: Known | null = null;

/** The name that link domains point to with a CNAME record. */
export function linkTarget(): string {
  return new URL(`http://${config.linkTarget ?? config.linkDomain}`).hostname;
}

/** The addresses that link domains point to, as far as they are known without asking DNS; null if they are not. */
export function knownAddresses(): string[] | null {
  if (config.linkAddresses) return config.linkAddresses;
  const target = linkTarget();
  const literal = literalAddress(target);
  if (literal) return [literal];
  if (target === 'localhost' || target.endsWith('.localhost')) return LOOPBACK;
  return known?.target === target ? known.addresses : null;
}

/** Returns the addresses of the link target, resolved again when outdated. If DNS does not answer, the old addresses are returned; null if there are none. */
export async function findAddresses(): Promise<string[] | null> {
  const target = linkTarget();
  const before = knownAddresses();
  const isFresh = known?.target === target && performance.now() - known.askedAt < TTL_MS;
  if (isFresh || (before !== null && known?.target !== target)) return before;
  try {
    const found = await systemResolver(target);
    known = { target, addresses: found.map(({ address }) => address), askedAt: performance.now() };
    return known.addresses;
  } catch {
    return before;
  }
}
