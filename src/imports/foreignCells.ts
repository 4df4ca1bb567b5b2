import type { Target } from './formats.ts';

type Given = Partial<Record<Target, string>>;

/** The short URLs in a cell: one, a list with commas, or one in JSON. */
export function shortUrlsIn(cell: string | undefined): string[] {
  return (cell ?? '')
    .replace(/^\[|\]$|"/g, '')
    .split(/[\s,;|]+/)
    .filter(Boolean);
}

/** Domain and slug of a short URL, with or without its scheme; no slug of what is only a domain. */
export function splitShortUrl(cell: string | undefined): Given {
  const [first = ''] = shortUrlsIn(cell);
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(first) ? first : `https://${first}`;
  if (first === '' || !URL.canParse(whole)) return {};
  const { host, pathname } = new URL(whole);
  const slug = decoded(pathname.replace(/^\/|\/$/g, ''));
  return { domain: host, ...(slug ? { slug } : {}) };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The domain, unless it belongs to the vendor: nobody can take that along. */
export function withoutVendor(domain: string | undefined, vendorDomains: string[]): string | undefined {
  const host = domain
    ?.trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '');
  if (!host) return undefined;
  return vendorDomains.some((vendor) => host === vendor || host.endsWith(`.${vendor}`)) ? undefined : host;
}

/** Parameters of a long Firebase link, and what they fill; what is not here nothing is taken from. */
const DYNAMIC: [string, Target][] = [
  ['link', 'destination'],
  ['ifl', 'ios_url'],
  ['ipfl', 'tablet_url'],
  ['afl', 'android_url'],
  ['ofl', 'desktop_url'],
  ['apn', 'android_app'],
  ['ibi', 'ios_app'],
  ['isi', 'ios_app'],
  ['st', 'preview_title'],
  ['sd', 'preview_description'],
  ['si', 'preview_image_url'],
  ['utm_source', 'utm_source'],
  ['utm_medium', 'utm_medium'],
  ['utm_campaign', 'utm_campaign'],
  ['utm_term', 'utm_term'],
  ['utm_content', 'utm_content'],
];

/** Names of apps and `ofl`, which tell that a URL on a domain of one's own is a long Firebase link. */
const TELLING = ['apn', 'ibi', 'isi', 'ofl'];

interface Unwrapped {
  given: Given;
  /** Parameters that nothing is taken from. */
  rest: Record<string, string>;
}

/** What a long Firebase link (`https://….page.link/?link=…&apn=…`) says; nothing for other URLs. */
export function unwrapDynamicLink(destination: string | undefined): Unwrapped {
  const nothing = { given: {}, rest: {} };
  if (!destination || !URL.canParse(destination)) return nothing;
  const { host, searchParams } = new URL(destination);
  const isVendors = /(\.page\.link|\.app\.goo\.gl)$/.test(host);
  if (!isVendors && !(searchParams.has('link') && TELLING.some((name) => searchParams.has(name)))) return nothing;
  const given = DYNAMIC.flatMap(([parameter, target]) => {
    const value = searchParams.get(parameter);
    return value ? [[target, value]] : [];
  });
  const known = new Set(DYNAMIC.map(([parameter]) => parameter));
  const rest = [...searchParams].filter(([parameter, value]) => value && !known.has(parameter));
  return { given: Object.fromEntries(given), rest: Object.fromEntries(rest) };
}

/** A time without a zone is taken for UTC; seconds and milliseconds since 1970 are understood too. */
export function toIsoTime(cell: string): string {
  const text = cell.trim();
  if (/^\d{10}$/.test(text)) return new Date(Number(text) * 1000).toISOString();
  if (/^\d{13}$/.test(text)) return new Date(Number(text)).toISOString();
  const [, day, clock = '00:00', seconds = ':00', zone = ''] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?)? ?(Z|UTC|[+-]\d{2}:?\d{2})?$/i.exec(text) ?? [];
  if (!day) return text;
  const offset = /^([+-]\d{2}):?(\d{2})$/.exec(zone);
  return `${day}T${clock}${seconds}${offset ? `${offset[1]}:${offset[2]}` : 'Z'}`;
}
