import { type Address, parseAddress } from './parseAddress.ts';

/** An address, or one with the length of its prefix. */
const NETWORK = /^([^/]+)(?:\/(\d{1,3}))?$/;

/**
 * A set of networks, which may overlap. It keeps their prefixes by length, so that a look-up asks once for each length
 * that occurs, however many networks there are. With 280,000 Node's BlockList takes twice the time to fill and several
 * times the memory.
 */
export class NetworkList {
  /** By words of the address (two of IPv4, eight of IPv6), then by bits of the prefix. */
  readonly #prefixes = new Map<number, Map<number, Set<string>>>();

  /** A CIDR block or an address. False: it is neither. */
  add(network: string): boolean {
    const [, start = '', length] = NETWORK.exec(network) ?? [];
    const address = parseAddress(start);
    if (address === null) return false;
    const longest = address.words.length * 16;
    const bits = length === undefined ? longest : Number(length) - bitsBefore(start, longest);
    if (bits < 0 || bits > longest) return false;
    this.#ofLength(address, bits).add(prefixOf(address, bits));
    return true;
  }

  has(address: Address): boolean {
    for (const [bits, prefixes] of this.#prefixes.get(address.words.length) ?? []) {
      if (prefixes.has(prefixOf(address, bits))) return true;
    }
    return false;
  }

  #ofLength({ words }: Address, bits: number): Set<string> {
    const lengths = this.#prefixes.get(words.length) ?? new Map<number, Set<string>>();
    const prefixes = lengths.get(bits) ?? new Set<string>();
    this.#prefixes.set(words.length, lengths.set(bits, prefixes));
    return prefixes;
  }
}

/** Bits that a prefix counts before the address itself: those of ::ffff:0:0/96, where IPv4 is written as IPv6. */
function bitsBefore(start: string, longest: number): number {
  return longest === 32 && start.includes(':') ? 96 : 0;
}

/** A character for each word, the last one without the bits that do not count. */
function prefixOf({ words }: Address, bits: number): string {
  const whole = bits >> 4;
  return String.fromCharCode(...words.slice(0, whole), (words[whole] ?? 0) >> (16 - (bits & 15)));
}
