import type { Target } from './formats.ts';

type Given = Partial<Record<Target, string>>;

/** Domain and slug of a short URL, with or without its scheme. */
export function splitShortUrl(cell: string | undefined): Given {
  const [first = ''] = (cell ?? '')
    .replace(/^\[|\]$|"/g, '')
    .split(/[\s,]+/)
    .filter(Boolean);
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

/** Parameters of a long Firebase link that say more than where it leads. */
const DYNAMIC: [string, Target][] = [
  ['link', 'destination'],
  ['ifl', 'ios_url'],
  ['afl', 'android_url'],
  ['st', 'preview_title'],
  ['sd', 'preview_description'],
  ['si', 'preview_image_url'],
  ['utm_source', 'utm_source'],
  ['utm_medium', 'utm_medium'],
  ['utm_campaign', 'utm_campaign'],
  ['utm_term', 'utm_term'],
  ['utm_content', 'utm_content'],
];

/** What a long Firebase link (`https://….page.link/?link=…&apn=…`) says; nothing for other URLs. */
export function unwrapDynamicLink(destination: string | undefined): Given {
  if (!destination || !URL.canParse(destination)) return {};
  const { host, searchParams } = new URL(destination);
  if (
    !/(\.page\.link|\.app\.goo\.gl)$/.test(host) &&
    !(searchParams.has('link') && APP.some((name) => searchParams.has(name)))
  )
    return {};
  return Object.fromEntries(
    DYNAMIC.flatMap(([parameter, target]) => {
      const value = searchParams.get(parameter);
      return value ? [[target, value]] : [];
    }),
  );
}

/** Names of apps, which tell that a URL on a domain of one's own is a long Firebase link. */
const APP = ['apn', 'ibi', 'isi', 'ofl'];

/** Other destinations for phones, and the path inside the app, as our routing says them. */
export function routingOf({ ios_url, android_url, deep_link_path }: Given): Record<string, unknown> | null {
  const rules = [
    ...(ios_url ? [{ when: { platform: ['ios'] }, destination: ios_url }] : []),
    ...(android_url ? [{ when: { platform: ['android'] }, destination: android_url }] : []),
  ];
  const app = deep_link_path ? { deep_link_path } : null;
  if (rules.length === 0 && !app) return null;
  return { ...(rules.length > 0 ? { rules } : {}), ...(app ? { ios: app, android: app } : {}) };
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
