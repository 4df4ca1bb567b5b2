import { shortUrl } from '../../kernel/origins.ts';
import type { AndroidApp, App, IosApp } from '../../models/Project.ts';
import type { Platform } from '../../routing/agent.ts';
import { fallbackUrl, intentOf } from '../../routing/appTarget.ts';
import { appStoreUrl, type Forwarded, ownScheme, playStoreUrl, schemeUrl, urlForApp } from '../../routing/appUrls.ts';
import type { StoredAppRouting } from '../../routing/compiledLink.ts';
import type { RedirectLink } from '../loadLink.ts';

/** The choices of a visitor. Null: not offered. */
export interface AppChoices {
  appStore: string | null;
  googlePlay: string | null;
  /** Opens the app if it is installed. */
  open: string | null;
  /** Whether `open` leads to a store if the app is not installed. */
  isStoreBehindOpen: boolean;
  web: string;
  /** Put into the clipboard for an app that is installed later: the link with the click's token. */
  copied: string;
}

export interface AppPageVisit {
  link: RedirectLink;
  platform: Platform;
  /** The Location that rules, split and destination result in. */
  web: string;
  /** What the visitor brought, for the app and for what replaces `web`. */
  forwarded: Forwarded;
  token: string;
  /** Whether iOS opens the project's apps for the link's address (Universal Links). */
  isUniversal: boolean;
}

/** A phone gets the choices of its platform. Other visitors get every store, because tablets may pose as computers. */
export function appChoices(given: AppPageVisit): AppChoices {
  const visit = given.link.passwordHash === null ? given : withoutDestinations(given);
  const { link, platform, web } = visit;
  const ios = appOf(link, 'ios');
  const android = appOf(link, 'android');
  const none = { appStore: null, googlePlay: null, open: null, isStoreBehindOpen: false };
  const copied = ownUrl(visit);
  const onIos = ios ? { appStore: appStoreOf(visit, ios), open: openOnIos(visit, ios, copied) } : {};
  const onAndroid = android ? androidChoices(visit, android) : {};
  if (platform === 'ios') return { ...none, ...onIos, web: fallbackOf(visit, 'ios') ?? web, copied };
  if (platform === 'android') return { ...none, ...onAndroid, web: fallbackOf(visit, 'android') ?? web, copied };
  return { ...none, ...onIos, ...onAndroid, open: null, isStoreBehindOpen: false, web, copied };
}

/**
 * Hides the destinations that a password protects: anyone may have the address of this page. The choice for the web leads
 * back to the link, which asks for the password.
 */
function withoutDestinations(visit: AppPageVisit): AppPageVisit {
  const { link } = visit;
  const web = ownUrl(visit);
  const guarded = (platform: App['platform']): StoredAppRouting => {
    const routing = routingOf(link, platform);
    return !routing.fallback || routing.fallback === 'store' ? routing : { ...routing, fallback: web };
  };
  const apps = link.routing.apps && { ...link.routing.apps, ios: guarded('ios'), android: guarded('android') };
  return { ...visit, web, link: { ...link, utm: null, routing: { ...link.routing, apps } } };
}

function appOf<Name extends App['platform']>(link: RedirectLink, platform: Name) {
  return link.apps.find((app): app is Extract<App, { platform: Name }> => app.platform === platform);
}

function routingOf({ routing }: RedirectLink, platform: App['platform']): StoredAppRouting {
  return routing.apps?.[platform] ?? {};
}

/** The URL with which the link's owner has replaced the store. */
function fallbackOf({ link, forwarded }: AppPageVisit, platform: App['platform']): string | null {
  const { fallback = null } = routingOf(link, platform);
  return fallback === null || fallback === 'store' ? null : fallbackUrl(fallback, link.utm, forwarded);
}

function appStoreOf(visit: AppPageVisit, { app_store_id }: IosApp): string | null {
  return app_store_id === null || fallbackOf(visit, 'ios') ? null : appStoreUrl(app_store_id);
}

function androidChoices(visit: AppPageVisit, app: AndroidApp) {
  const isStoreBehindOpen = routingOf(visit.link, 'android').fallback === 'store';
  return { googlePlay: googlePlayOf(visit, app), open: intent(visit, app), isStoreBehindOpen };
}

function googlePlayOf(visit: AppPageVisit, app: AndroidApp): string | null {
  return fallbackOf(visit, 'android') ? null : playStoreUrl(app.package, carriedBy(visit));
}

/** Without Universal Links, the app's own scheme is the only way to open it; null if it has none. */
function openOnIos(visit: AppPageVisit, app: IosApp, universal: string): string | null {
  const { link, isUniversal } = visit;
  if (isUniversal) return universal;
  const scheme = ownScheme(app);
  if (scheme === null) return null;
  return schemeUrl(scheme, routingOf(link, 'ios').deep_link_path ?? link.slug, carriedBy(visit));
}

/** The short URL with the token, as the visitor followed it: the link adds its `utm` when it is followed again. */
function ownUrl(visit: AppPageVisit): string {
  return urlForApp(shortUrl(visit.link.domain, visit.link.slug), { ...carriedBy(visit), utm: null });
}

function carriedBy({ link, forwarded, token }: AppPageVisit) {
  return { utm: link.utm, forwarded, token };
}

function intent({ link, web, forwarded, token }: AppPageVisit, app: AndroidApp): string {
  const routing = { ios: {}, android: routingOf(link, 'android') };
  return intentOf({ routing, link, web, forwarded, token }, app);
}
