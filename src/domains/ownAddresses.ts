import { config } from '../kernel/config.ts';
import { whileSame } from '../kernel/memoize.ts';
import { literalAddress } from '../kernel/publicAddress.ts';
import { systemResolver } from '../net/dns.ts';

/** How long resolved addresses of the link target are used. */
const TTL_MS = 300_000;

const LOOPBACK = ['127.0.0.1', '::1'];

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
  return resolved().addresses;
}

/** Returns the addresses of the link target, resolved again when outdated. If DNS does not answer, the old addresses are returned; null if there are none. */
export async function findAddresses(): Promise<string[] | null> {
  const target = resolved();
  const before = knownAddresses();
  // Those that the settings name are not asked for.
  if (before !== target.addresses || target.isFresh) return before;
  await target.resolve();
  return target.addresses;
}

/** What DNS says of a name. */
class ResolvedName {
  addresses: string[] | null = null;
  readonly #name: string;
  /** Milliseconds of the monotonic clock. */
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(name: string) {
    this.#name = name;
  }

  get isFresh(): boolean {
    return performance.now() - this.#askedAt < TTL_MS;
  }

  /** Keeps what it has where DNS does not answer. */
  async resolve(): Promise<void> {
    try {
      const found = await systemResolver(this.#name);
      this.addresses = found.map(({ address }) => address);
      this.#askedAt = performance.now();
    } catch {}
  }
}

const resolved = whileSame(linkTarget, (name) => new ResolvedName(name));
