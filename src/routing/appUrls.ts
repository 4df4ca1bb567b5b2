import { isRefusedScheme } from '../kernel/urls.ts';
import { compileTarget, locationOf } from './destinationUrl.ts';
import type { Utm } from './utm.ts';

/** The query parameter that carries a click's token to an app and back. */
export const TOKEN_PARAMETER = 'svc_click';

/** What a visitor brought to the short URL and the link passes on. */
export interface Forwarded {
  /** Raw, without its `?` and without a token of ours; empty: nothing. */
  query: string;
  /** The raw path after the slug, starting with `/`; empty: nothing. */
  path: string;
}

/** What an address gets on its way to an app. */
export interface Carried {
  utm: Utm | null;
  forwarded: Forwarded;
  /** The click's token; null: none. */
  token: string | null;
}

/** Adds what is carried, the token last and in front of a fragment. Parameters of `url` win over `utm`, both over the visitor's. */
export function urlForApp(url: string, { utm, forwarded, token }: Carried): string {
  const whole = locationOf(compileTarget(url, utm), forwarded.query, forwarded.path);
  if (token === null) return whole;
  const [head = '', fragment] = whole.split(/#(.*)/s);
  const carrying = `${head}${head.includes('?') ? '&' : '?'}${TOKEN_PARAMETER}=${token}`;
  return fragment === undefined ? carrying : `${carrying}#${fragment}`;
}

export function appStoreUrl(appStoreId: string): string {
  return `https://apps.apple.com/app/id${appStoreId}`;
}

/** Google Play passes the referrer on to the app when it is installed from this page. It has no path. */
export function playStoreUrl(packageName: string, { utm, forwarded, token }: Carried): string {
  const own = token === null ? '' : `${TOKEN_PARAMETER}=${token}`;
  const [, referrer = ''] = locationOf(compileTarget(`?${own}`, utm), forwarded.query).split(/\?(.*)/s);
  const field = referrer === '' ? '' : `&referrer=${encodeURIComponent(referrer)}`;
  return `https://play.google.com/store/apps/details?id=${packageName}${field}`;
}

/** The custom scheme of an app; null if it has none, or if the scheme has been refused since it was saved. */
export function ownScheme({ scheme }: { scheme: string | null }): string | null {
  return scheme !== null && isRefusedScheme(scheme) ? null : scheme;
}

/** A URL of an app's own scheme, safe in a header. The link's owner writes `path`, also with a query and fragment of its own. */
export function schemeUrl(scheme: string, path: string, carried: Carried): string {
  return urlForApp(`${scheme}://${path.replace(/^\/+/, '')}`, carried);
}

export interface Intent {
  /** The URL the app receives, of the web or its own scheme; safe in a header. */
  url: string;
  packageName: string;
  /** Where Android goes if the app is not installed. */
  fallback: string;
}

/** Builds an Android intent URL. Android reads the fields after the last `#`, and separates them by `;`. */
export function intentUrl({ url, packageName, fallback }: Intent): string {
  const [scheme, rest] = url.split(/:(.*)/s) as [string, string];
  const [head, fragment] = rest.replaceAll(';', '%3B').split(/#(.*)/s) as [string, string?];
  const data = fragment === undefined ? head : `${head}#${fragment.replaceAll('#', '%23')}`;
  const extras = [
    `scheme=${scheme}`,
    `package=${packageName}`,
    `S.browser_fallback_url=${encodeURIComponent(fallback)}`,
  ];
  return `intent:${data}#Intent;${extras.join(';')};end`;
}
