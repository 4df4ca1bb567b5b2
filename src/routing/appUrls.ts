import { isRefusedScheme } from '../kernel/urls.ts';
import { headerSafe } from './headerSafe.ts';

/** The parameter that carries a click's token to an app and back to us. */
export const TOKEN_PARAMETER = 'svc_click';

/** `url` with the token; null: as it is. */
export function withToken(url: string, token: string | null): string {
  return token === null ? url : `${url}${url.includes('?') ? '&' : '?'}${TOKEN_PARAMETER}=${token}`;
}

export function appStoreUrl(appStoreId: string): string {
  return `https://apps.apple.com/app/id${appStoreId}`;
}

/** Google Play hands the referrer to the app that is installed from there. */
export function playStoreUrl(packageName: string, token: string | null): string {
  const referrer = token === null ? '' : `&referrer=${encodeURIComponent(`${TOKEN_PARAMETER}=${token}`)}`;
  return `https://play.google.com/store/apps/details?id=${packageName}${referrer}`;
}

/** The scheme of an app, unless it is refused by now. */
export function ownScheme({ scheme }: { scheme: string | null }): string | null {
  return scheme !== null && isRefusedScheme(scheme) ? null : scheme;
}

/** A place in an app by its own scheme; `path` is written by the link's owner. */
export function schemeUrl(scheme: string, path: string, token: string | null): string {
  return withToken(`${scheme}://${inertPath(path)}`, token);
}

export interface Intent {
  /** What the app gets: a URL of the web or of its own scheme, safe in a header and without a fragment. */
  url: string;
  packageName: string;
  /** Where Android goes when the app is not installed. */
  fallback: string;
}

/** Opens an app of Android by name. What follows the last `#` is read by Android, so nothing else may put one there. */
export function intentUrl({ url, packageName, fallback }: Intent): string {
  const [scheme, rest] = url.split(/:(.*)/s) as [string, string];
  const extras = [
    `scheme=${scheme}`,
    `package=${packageName}`,
    `S.browser_fallback_url=${encodeURIComponent(fallback)}`,
  ];
  return `intent:${rest}#Intent;${extras.join(';')};end`;
}

/** Without what would begin a fragment, end a header or part the fields of an intent. */
function inertPath(path: string): string {
  return headerSafe(path.replace(/^\/+/, '')).replaceAll(';', '%3B');
}
