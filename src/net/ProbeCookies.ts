import { clock } from '../kernel/clock.ts';

/** Sites set a few; what is beyond that is dropped, so that a hostile one cannot fill memory or headers. */
const MAX_COOKIES = 30;
const MAX_BYTES = 4096;

interface Cookie {
  name: string;
  value: string;
  /** The host that set it, or a domain above it that it names. */
  domain: string;
  isHostOnly: boolean;
  path: string;
  isSecure: boolean;
}

/** The cookies that sites set on the way of one probe through their redirects: many sites redirect in a circle without them. */
export class ProbeCookies {
  #cookies: Cookie[] = [];

  /** Takes the `Set-Cookie` headers of the answer of a URL. */
  accept(headers: string | string[] | undefined, url: string): void {
    for (const header of [headers ?? []].flat()) {
      const cookie = header.length <= MAX_BYTES ? readCookie(header, new URL(url)) : null;
      if (cookie === null) continue;
      const { isExpired, ...kept } = cookie;
      this.#cookies = this.#cookies.filter(
        ({ name, domain, path }) => name !== kept.name || domain !== kept.domain || path !== kept.path,
      );
      if (!isExpired && this.#cookies.length < MAX_COOKIES) this.#cookies.push(kept);
    }
  }

  /** The `Cookie` header of a request; empty if there is nothing to send. */
  headerFor(url: string): string {
    const { hostname, pathname, protocol } = new URL(url);
    return this.#cookies
      .filter(({ domain, isHostOnly }) => hostname === domain || (!isHostOnly && isBelow(hostname, domain)))
      .filter(({ path, isSecure }) => isWithin(pathname, path) && (!isSecure || protocol === 'https:'))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }
}

/** Null for a header that is malformed or is meant for another host (RFC 6265, 5.3). */
function readCookie(header: string, { hostname, pathname }: URL): (Cookie & { isExpired: boolean }) | null {
  const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
  const [, name, value = ''] = /^([^=\s]+)=([\x21-\x7e]*)$/.exec(pair) ?? [];
  if (name === undefined) return null;
  const given = new Map(
    attributes.map((attribute) => {
      const [key = '', text = ''] = attribute.split(/=(.*)/s);
      return [key.trim().toLowerCase(), text.trim()] as const;
    }),
  );
  const domain = given.get('domain')?.replace(/^\./, '').toLowerCase();
  // A domain without a dot would be everyone's.
  if (domain && domain !== hostname && !(domain.includes('.') && isBelow(hostname, domain))) return null;
  const path = given.get('path');
  return {
    ...{ name, value, domain: domain || hostname, isHostOnly: !domain },
    path: path?.startsWith('/') ? path : pathname.slice(0, Math.max(1, pathname.lastIndexOf('/'))),
    isSecure: given.has('secure'),
    isExpired: Number(given.get('max-age') ?? 1) <= 0 || Date.parse(given.get('expires') ?? '') < clock.now(),
  };
}

function isBelow(hostname: string, domain: string): boolean {
  return hostname.endsWith(`.${domain}`);
}

function isWithin(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}
