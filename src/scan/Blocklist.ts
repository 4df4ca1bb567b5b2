import type { Target } from './target.ts';

/** Hosts that need no parsing to be in the form that URLs give them. */
const PLAIN_HOST = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

/** The entries of one file, made for a million of them: a look-up costs as many steps as the host has labels. */
export class Blocklist {
  readonly #hosts = new Set<string>();
  /** Host with port, and what path and query begin with. http and https are not told apart. */
  readonly #beginnings = new Set<string>();
  /** By host with port: how long its beginnings are, each of which costs a look. */
  readonly #lengths = new Map<string, Set<number>>();

  /** Takes a line: a host, or the beginning of a URL; `#` begins a comment. False when it is neither. */
  add(line: string): boolean {
    const entry = line.replace(/(^|\s)#.*$/, '').trim();
    if (entry === '') return true;
    return entry.includes('/') ? this.#addBeginning(entry) : this.#addHost(entry.replace(/^\*?\./, '').toLowerCase());
  }

  /** The entry that holds the URL, or null. */
  find({ url, host }: Target): string | null {
    for (let rest = host; this.#hosts.size > 0; rest = rest.slice(rest.indexOf('.') + 1)) {
      if (this.#hosts.has(rest)) return rest;
      if (!rest.includes('.')) break;
    }
    return this.#beginnings.size === 0 ? null : this.#findBeginning(url, host);
  }

  #findBeginning(url: URL, host: string): string | null {
    const place = placeOf(url, host);
    const lengths = this.#lengths.get(place);
    if (!lengths) return null;
    const whole = place + pathOf(url);
    for (const length of lengths) {
      const beginning = whole.slice(0, length);
      if (this.#beginnings.has(beginning)) return beginning;
    }
    return null;
  }

  #addHost(host: string): boolean {
    const plain = PLAIN_HOST.test(host) ? host : URL.parse(`http://${host}`)?.hostname.replace(/\.+$/, '');
    if (plain) this.#hosts.add(plain);
    return Boolean(plain);
  }

  #addBeginning(entry: string): boolean {
    const url = URL.parse(/^https?:\/\//i.test(entry) ? entry : `https://${entry}`);
    if (!url) return false;
    const place = placeOf(url, url.hostname.replace(/\.+$/, ''));
    const beginning = place + pathOf(url);
    this.#beginnings.add(beginning);
    this.#lengths.set(place, (this.#lengths.get(place) ?? new Set()).add(beginning.length));
    return true;
  }
}

function placeOf(url: URL, host: string): string {
  return url.port ? `${host}:${url.port}` : host;
}

/** Path and query with what needs no escape unescaped: `/b%61d/` is `/bad/`. */
function pathOf({ pathname, search }: URL): string {
  const path = `${pathname}${search}`;
  if (!path.includes('%')) return path;
  return path.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const letter = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(letter) ? letter : escaped.toUpperCase();
  });
}
