import type { Target } from './target.ts';

/** Hosts that are already in the form in which a parsed URL has them. */
const PLAIN_HOST = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

/** The entries of one file, designed for a million of them: a lookup takes as many steps as the host has labels. */
export class Blocklist {
  readonly #hosts = new Set<string>();
  /** URL prefixes without scheme: host with port, then the start of path and query. */
  readonly #prefixes = new Set<string>();
  /** Host with port → the lengths of its prefixes, each of which costs one lookup. */
  readonly #lengths = new Map<string, Set<number>>();

  /** Adds a line: a host, or a URL prefix; `#` starts a comment. Returns false if it is neither. */
  add(line: string): boolean {
    const entry = line.replace(/(^|\s)#.*$/, '').trim();
    if (entry === '') return true;
    return entry.includes('/') ? this.#addPrefix(entry) : this.#addHost(entry.replace(/^\*?\./, '').toLowerCase());
  }

  /** The entry that covers the URL, or null. */
  find({ url, host }: Target): string | null {
    for (let rest = host; this.#hosts.size > 0; rest = rest.slice(rest.indexOf('.') + 1)) {
      if (this.#hosts.has(rest)) return rest;
      if (!rest.includes('.')) break;
    }
    return this.#prefixes.size === 0 ? null : this.#findPrefix(url, host);
  }

  #findPrefix(url: URL, host: string): string | null {
    const authority = authorityOf(url, host);
    const lengths = this.#lengths.get(authority);
    if (!lengths) return null;
    const whole = authority + pathOf(url);
    for (const length of lengths) {
      const prefix = whole.slice(0, length);
      if (this.#prefixes.has(prefix)) return prefix;
    }
    return null;
  }

  #addHost(host: string): boolean {
    const plain = PLAIN_HOST.test(host) ? host : URL.parse(`http://${host}`)?.hostname.replace(/\.+$/, '');
    if (plain) this.#hosts.add(plain);
    return Boolean(plain);
  }

  #addPrefix(entry: string): boolean {
    const url = URL.parse(/^https?:\/\//i.test(entry) ? entry : `https://${entry}`);
    if (!url) return false;
    const authority = authorityOf(url, url.hostname.replace(/\.+$/, ''));
    const prefix = authority + pathOf(url);
    this.#prefixes.add(prefix);
    this.#lengths.set(authority, (this.#lengths.get(authority) ?? new Set()).add(prefix.length));
    return true;
  }
}

function authorityOf(url: URL, host: string): string {
  return url.port ? `${host}:${url.port}` : host;
}

/** Path and query without needless percent-encoding: `/b%61d/` is `/bad/`. */
function pathOf({ pathname, search }: URL): string {
  const path = `${pathname}${search}`;
  if (!path.includes('%')) return path;
  return path.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const letter = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(letter) ? letter : escaped.toUpperCase();
  });
}
