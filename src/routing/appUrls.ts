import { isRefusedScheme } from '../kernel/urls.ts';
import { headerSafe } from './urlEncoding.ts';

/** The query parameter that carries a click's token to an app and back. */
export const TOKEN_PARAMETER = 'svc_click';

/** Adds the token to `url`; null leaves it as it is. */
export function withToken(url: string, token: string | null): string {
  return token === null ? url : `${url}${url.includes('?') ? '&' : '?'}${TOKEN_PARAMETER}=${token}`;
}

export function appStoreUrl(appStoreId: string): string {
  return `https://apps.apple.com/app/id${appStoreId}`;
}

/** Google Play passes the referrer on to the app when it is installed from this page. */
export function playStoreUrl(packageName: string, token: string | null): string {
  const referrer = token === null ? '' : `&referrer=${encodeURIComponent(`${TOKEN_PARAMETER}=${token}`)}`;
  return `https://play.google.com/store/apps/details?id=${packageName}${referrer}`;
}

/** The custom scheme of an app; null if it has none, or if the scheme has been refused since it was saved. */
export function ownScheme({ scheme }: { scheme: string | null }): string | null {
  return scheme !== null && isRefusedScheme(scheme) ? null : scheme;
}

/** A URL of an app's own scheme. The link's owner writes `path`, so it is made safe here. */
export function schemeUrl(scheme: string, path: string, token: string | null): string {
  return withToken(`${scheme}://${inertPath(path)}`, token);
}

export interface Intent {
  /** The URL the app receives, of the web or its own scheme; safe in a header and without a fragment. */
  url: string;
  packageName: string;
  /** Where Android goes if the app is not installed. */
  fallback: string;
}

/** Builds an Android intent URL. Android parses what follows the last `#`, so `url` must not contain one. */
export function intentUrl({ url, packageName, fallback }: Intent): string {
  const [scheme, rest] = url.split(/:(.*)/s) as [string, string];
  const extras = [
    `scheme=${scheme}`,
    `package=${packageName}`,
    `S.browser_fallback_url=${encodeURIComponent(fallback)}`,
  ];
  return `intent:${rest}#Intent;${extras.join(';')};end`;
}

/** Encodes what would start a fragment, end a header or separate the fields of an intent. */
function inertPath(path: string): string {
  return headerSafe(path.replace(/^\/+/, '')).replaceAll(';', '%3B');
}
