import { shortUrl } from '../../kernel/origins.ts';
import type { AndroidApp, App, IosApp } from '../../models/Project.ts';
import type { Platform } from '../../routing/agent.ts';
import { intentOf } from '../../routing/appTarget.ts';
import { appStoreUrl, ownScheme, playStoreUrl, schemeUrl, withToken } from '../../routing/appUrls.ts';
import type { StoredAppRouting } from '../../routing/compiledRouting.ts';
import { compileTarget } from '../../routing/destinationUrl.ts';
import type { RedirectLink } from '../loadLink.ts';

/** The ways on that a visitor has. Null: not for this one. */
export interface AppChoices {
  appStore: string | null;
  googlePlay: string | null;
  /** Opens the app if it is there. */
  open: string | null;
  /** Whether `open` leads to a store if the app is not there. */
  isStoreBehindOpen: boolean;
  web: string;
  /** What an app that is installed later finds in the clipboard: the link with the click's token. */
  copied: string;
}

export interface Chooser {
  link: RedirectLink;
  /** Null: no phone of which anything is known. */
  platform: Platform;
  /** The Location that rules, split and destination choose. */
  web: string;
  token: string;
  /** Whether iOS opens the apps of the project by the address of the link. */
  isUniversal: boolean;
}

/** A phone gets the ways of its platform. Other visitors get every store: tablets may pretend to be computers. */
export function appChoices(asked: Chooser): AppChoices {
  const chooser = asked.link.passwordHash === null ? asked : withoutDestinations(asked);
  const { link, platform, web, token } = chooser;
  const ios = appOf(link, 'ios');
  const android = appOf(link, 'android');
  const none = { appStore: null, googlePlay: null, open: null, isStoreBehindOpen: false };
  const copied = withToken(shortUrl(link.domain, link.slug), token);
  const onIos = ios ? { appStore: appStoreOf(chooser, ios), open: openOnIos(chooser, ios, copied) } : {};
  const onAndroid = android ? androidChoices(chooser, android) : {};
  if (platform === 'ios') return { ...none, ...onIos, web: fallbackOf(chooser, 'ios') ?? web, copied };
  if (platform === 'android') return { ...none, ...onAndroid, web: fallbackOf(chooser, 'android') ?? web, copied };
  return { ...none, ...onIos, ...onAndroid, open: null, isStoreBehindOpen: false, web, copied };
}

/**
 * Whoever has the page's address must not read there what a password guards: the web is behind the link itself, which
 * lets those in who have given it.
 */
function withoutDestinations(chooser: Chooser): Chooser {
  const { link, token } = chooser;
  const web = withToken(shortUrl(link.domain, link.slug), token);
  const guarded = (platform: App['platform']): StoredAppRouting => {
    const routing = routingOf(link, platform);
    return !routing.fallback || routing.fallback === 'store' ? routing : { ...routing, fallback: web };
  };
  const apps = link.routing.apps && { ...link.routing.apps, ios: guarded('ios'), android: guarded('android') };
  return { ...chooser, web, link: { ...link, utm: null, routing: { ...link.routing, apps } } };
}

function appOf<Name extends App['platform']>(link: RedirectLink, platform: Name) {
  return link.apps.find((app): app is Extract<App, { platform: Name }> => app.platform === platform);
}

function routingOf({ routing }: RedirectLink, platform: App['platform']): StoredAppRouting {
  return routing.apps?.[platform] ?? {};
}

/** The URL that the link's owner put in the place of the store. */
function fallbackOf({ link }: Chooser, platform: App['platform']): string | null {
  const { fallback = null } = routingOf(link, platform);
  return fallback === null || fallback === 'store' ? null : compileTarget(fallback, link.utm).url;
}

function appStoreOf(chooser: Chooser, { app_store_id }: IosApp): string | null {
  return app_store_id === null || fallbackOf(chooser, 'ios') ? null : appStoreUrl(app_store_id);
}

function androidChoices(chooser: Chooser, app: AndroidApp) {
  const isStoreBehindOpen = routingOf(chooser.link, 'android').fallback === 'store';
  return { googlePlay: googlePlayOf(chooser, app), open: intent(chooser, app), isStoreBehindOpen };
}

function googlePlayOf(chooser: Chooser, app: AndroidApp): string | null {
  return fallbackOf(chooser, 'android') ? null : playStoreUrl(app.package, chooser.token);
}

/** Where iOS knows no app for the link's address, the app's scheme is the only way; without one there is none. */
function openOnIos({ link, token, isUniversal }: Chooser, app: IosApp, universal: string): string | null {
  if (isUniversal) return universal;
  const scheme = ownScheme(app);
  if (scheme === null) return null;
  return schemeUrl(scheme, routingOf(link, 'ios').deep_link_path ?? link.slug, token);
}

function intent({ link, web, token }: Chooser, app: AndroidApp): string {
  const routing = { ios: {}, android: routingOf(link, 'android') };
  return intentOf({ routing, link, web, token }, app);
}
