import { UTM_FIELDS } from '../routing/utm.ts';
import type { Target } from './formats.ts';

/** The cells of a row by what they fill. */
export type Cells = Partial<Record<Target, string>>;

/** The short URLs in a cell: a single one, a separated list, or a JSON array. */
export function shortUrlsIn(cell: string | undefined): string[] {
  return (cell ?? '')
    .replace(/^\[|\]$|"/g, '')
    .split(/[\s,;|]+/)
    .filter(Boolean);
}

/** Domain and slug of a short URL, with or without a scheme. A bare domain has no slug. */
export function splitShortUrl(cell: string | undefined): Cells {
  const [first = ''] = shortUrlsIn(cell);
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(first) ? first : `https://${first}`;
  const parsed = first === '' ? null : URL.parse(whole);
  if (parsed === null) return {};
  const slug = decoded(parsed.pathname.replace(/^\/|\/$/g, ''));
  return { domain: parsed.host, ...(slug ? { slug } : {}) };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The domain, or undefined if it belongs to the vendor: customers cannot move it. */
export function withoutVendor(domain: string | undefined, vendorDomains: string[]): string | undefined {
  const host = domain
    ?.trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '');
  if (!host) return undefined;
  return vendorDomains.some((vendor) => host === vendor || host.endsWith(`.${vendor}`)) ? undefined : host;
}

/** The parameters of a long Firebase link that are imported, and what they fill. */
const DYNAMIC_LINK_PARAMETERS: [string, Target][] = [
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
  ...UTM_FIELDS.map((field): [string, Target] => [`utm_${field}`, `utm_${field}`]),
];

/** Any of these together with `link` identifies a long Firebase link on a customer's own domain. */
const DYNAMIC_LINK_MARKERS = ['apn', 'ibi', 'isi', 'ofl'];

interface Unwrapped {
  given: Cells;
  /** Parameters that are not imported. */
  rest: Record<string, string>;
}

/** The parameters of a long Firebase link (`https://….page.link/?link=…&apn=…`); nothing for other URLs. */
export function unwrapDynamicLink(destination: string | undefined): Unwrapped {
  const nothing = { given: {}, rest: {} };
  const parsed = URL.parse(destination ?? '');
  if (parsed === null) return nothing;
  const { host, searchParams } = parsed;
  const isOnVendorDomain = /(\.page\.link|\.app\.goo\.gl)$/.test(host);
  if (!isOnVendorDomain && !(searchParams.has('link') && DYNAMIC_LINK_MARKERS.some((name) => searchParams.has(name))))
    return nothing;
  const given = DYNAMIC_LINK_PARAMETERS.flatMap(([parameter, target]) => {
    const value = searchParams.get(parameter);
    return value ? [[target, value]] : [];
  });
  const known = new Set(DYNAMIC_LINK_PARAMETERS.map(([parameter]) => parameter));
  const rest = [...searchParams].filter(([parameter, value]) => value && !known.has(parameter));
  return { given: Object.fromEntries(given), rest: Object.fromEntries(rest) };
}

/** Times without a zone are UTC; seconds and milliseconds since 1970 are read too. Returns other texts as they are. */
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

/** Counts as an empty cell: the other column decides. */
const EMPTY = /^(|none|null|nil|n\/a|-|0)$/i;
const PUBLIC = /^(false|no|off|disabled|public)$/i;
const PROTECTED = /^(true|yes|y|on|enabled|protected|set|1)$/i;
/** A masked password, or a hash. */
const HIDDEN =
  /^[*•●·x]{3,}$|^\$(2[abxy]|argon2\w*|scrypt|pbkdf2[\w-]*|[156])\$|^([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;

const UNKNOWN_PASSWORD =
  'The link asks for a password that the file does not contain. Add it in a column "password", or "false" if the link may be public.';

/** The password of a link, null for none. Complains about a protected link without its password: it would become public. */
export function passwordIn(
  { password = '', is_protected = '' }: Cells,
  complain: (target: Target, message: string) => void,
): string | null {
  const [given, protection] = [password.trim(), is_protected.trim()];
  if (EMPTY.test(given)) {
    if (!EMPTY.test(protection) && !PUBLIC.test(protection)) complain('is_protected', UNKNOWN_PASSWORD);
  } else if (!PUBLIC.test(given)) {
    if (!PROTECTED.test(given) && !HIDDEN.test(given)) return password;
    complain('password', UNKNOWN_PASSWORD);
  }
  return null;
}

type Rule = { when: Record<string, string[]>; destination: string };

const YES = /^(true|yes|1|y|on)$/i;

/** Routing from platform, device, country and app columns; null when there is none. */
export function routingOf(given: Cells): Record<string, unknown> | null {
  const rules = rulesOf(given);
  const { deep_link_path, ios_app, android_app } = given;
  const path = deep_link_path ? { deep_link_path } : {};
  const isForApps = Boolean(deep_link_path || ios_app || android_app) && !YES.test(given.web_only ?? '');
  // A visitor without the row's app goes to its store, unless the row has a URL for the platform.
  const ios = { ...path, ...(ios_app && !given.ios_url && !given.tablet_url ? { fallback: 'store' } : {}) };
  const android = { ...path, ...(android_app && !given.android_url ? { fallback: 'store' } : {}) };
  const routing = {
    ...(rules.length > 0 ? { rules } : {}),
    ...(isForApps ? { open_app: true } : {}),
    ...(Object.keys(ios).length > 0 ? { ios } : {}),
    ...(Object.keys(android).length > 0 ? { android } : {}),
  };
  return Object.keys(routing).length > 0 ? routing : null;
}

/** Device rules come before country rules, as with the vendors that have both. */
function rulesOf({ ios_url, tablet_url, android_url, desktop_url, geo, destination }: Cells): Rule[] {
  const rule = (when: Rule['when'], to: string | undefined): Rule[] => (to ? [{ when, destination: to }] : []);
  const countries = Object.entries(countriesIn(geo) ?? {});
  return [
    ...rule({ platform: ['ios'], device: ['tablet'] }, tablet_url),
    ...rule({ platform: ['ios'] }, ios_url),
    ...rule({ platform: ['android'] }, android_url),
    ...rule({ device: ['desktop'] }, desktop_url === destination ? undefined : desktop_url),
    ...countries.flatMap(([country, to]) => rule({ country: [country] }, to)),
  ];
}

/** Destinations by country, from `{"DE": "https://…"}` or `DE=https://…; AT=https://…`; null for other texts. */
export function countriesIn(cell: string | undefined): Record<string, string> | null {
  const text = cell?.trim() ?? '';
  if (text === '' || /^(\{\}|\[\]|null)$/.test(text)) return {};
  const pairs = text.startsWith('{') ? jsonPairs(text) : text.split(/[;\n|]|,(?=\s*[A-Za-z]{2}\s*[:=])/).map(pairOf);
  if (!pairs?.every((pair) => pair !== null)) return null;
  return Object.fromEntries(pairs);
}

type Pair = [country: string, destination: string];

function jsonPairs(text: string): (Pair | null)[] | null {
  try {
    return Object.entries(JSON.parse(text)).map(([country, to]) => checked(country, to));
  } catch {
    return null;
  }
}

function pairOf(text: string): Pair | null {
  const [, country = '', to = ''] = /^\s*([A-Za-z]{2})\s*[:=]\s*(\S+)\s*$/.exec(text) ?? [];
  return checked(country, to);
}

function checked(country: string, to: unknown): Pair | null {
  const code = country.trim().toUpperCase();
  return /^[A-Z]{2}$/.test(code) && typeof to === 'string' && to !== '' ? [code, to] : null;
}
