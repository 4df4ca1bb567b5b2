import { open } from 'node:fs/promises';
import { isIP } from 'node:net';
import { ConfigError } from '../kernel/config.ts';

/** An address, or an address with a prefix length. */
const NETWORK = /^([^/]+)(?:\/(\d{1,3}))?$/;

/**
 * A set of networks, which may overlap. Prefixes are stored by length, so that a lookup takes one step per length, however
 * many networks there are. With 280,000 networks, Node's BlockList takes twice the time to fill and several times the
 * memory.
 */
export class NetworkList {
  /** By the number of words in the address (two for IPv4, eight for IPv6), then by the length of the prefix. */
  readonly #prefixes = new Map<number, Map<number, Set<string>>>();

  /** Adds a CIDR block or an address. Returns false if the text is neither. */
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

/** An IPv4 address written as IPv6 lies in ::ffff:0:0/96, so its prefix length counts 96 bits more. */
function bitsBefore(start: string, longest: number): number {
  return longest === 32 && start.includes(':') ? 96 : 0;
}

/** One character per word, the last one without the bits behind the prefix. */
function prefixOf({ words }: Address, bits: number): string {
  const whole = bits >> 4;
  return String.fromCharCode(...words.slice(0, whole), (words[whole] ?? 0) >> (16 - (bits & 15)));
}

/**
 * Reads a file of networks: one CIDR block or address per line, up to a comma or #. Empty lines are skipped. Throws
 * `ConfigError` if the file cannot be read, or if a line is not a network.
 */
export async function readNetworkFile(path: string): Promise<NetworkList> {
  const list = new NetworkList();
  let number = 0;
  try {
    const file = await open(path);
    for await (const line of file.readLines()) {
      number += 1;
      const network = line.replace(/[,#].*/, '').trim();
      if (network === '' || list.add(network)) continue;
      throw new ConfigError(`SHARED_NETWORK_FILES: line ${number} of ${path} is no network: ${network.slice(0, 64)}`);
    }
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`SHARED_NETWORK_FILES: ${path} cannot be read: ${(error as Error).message}`);
  }
  return list;
}

export interface Address {
  /** Without a zone. IPv4 inside IPv6 (`::ffff:192.0.2.1`) becomes IPv4. */
  text: string;
  /** 16 bits each: two for IPv4, eight for IPv6. */
  words: readonly number[];
}

/** Null if the text is not an address. Three times as fast as ipaddr.js: lists of networks have 300,000 lines. */
export function parseAddress(input: string): Address | null {
  const zone = input.indexOf('%');
  const text = zone < 0 ? input : input.slice(0, zone);
  const version = isIP(text);
  if (version === 0) return null;
  if (version === 4) return { text, words: wordsOfV4(text) };
  const words = wordsOfV6(text);
  return isMapped(words) ? ofV4(words.slice(6)) : { text, words };
}

/** `192.0.2.1` → [0xc000, 0x0201] */
function wordsOfV4(text: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

function wordsOfV6(text: string): number[] {
  const gap = text.indexOf('::');
  if (gap < 0) return wordsOfParts(text);
  const words = wordsOfParts(text.slice(0, gap));
  const last = wordsOfParts(text.slice(gap + 2));
  while (words.length + last.length < 8) words.push(0);
  return words.concat(last);
}

/** Parts between colons; the last may be written as IPv4. */
function wordsOfParts(text: string): number[] {
  const words: number[] = [];
  if (text === '') return words;
  for (const part of text.split(':')) {
    if (part.includes('.')) words.push(...wordsOfV4(part));
    else words.push(Number.parseInt(part, 16));
  }
  return words;
}

/** IPv4 inside IPv6: ::ffff:0:0/96 (RFC 4291 §2.5.5.2). */
function isMapped(words: readonly number[]): boolean {
  return words[5] === 0xffff && words.slice(0, 5).every((word) => word === 0);
}

function ofV4(words: number[]): Address {
  return { text: words.flatMap((word) => [word >> 8, word & 255]).join('.'), words };
}
