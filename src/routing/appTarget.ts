import { MAX_URL_BYTES } from '../kernel/urls.ts';
import { appStoreUrl, type Forwarded, intentUrl, ownScheme, playStoreUrl, schemeUrl, urlForApp } from './appUrls.ts';
import type { CompiledRouting, StoredAppRouting } from './compiledLink.ts';
import { compileTarget, locationOf } from './destinationUrl.ts';
import type { Utm } from './utm.ts';
import type { Visitor } from './visitor.ts';

interface IosTarget {
  platform: 'ios';
  app_store_id: string | null;
  scheme: string | null;
}

interface AndroidTarget {
  platform: 'android';
  package: string;
  scheme: string | null;
}

/** What the decision needs to know about an app of the project. */
export type TargetApp = IosTarget | AndroidTarget;

export interface AppTargetInput {
  visitor: Pick<Visitor, 'platform' | 'trafficClass' | 'inApp'>;
  /** Apps of the project; the first one of a platform counts. */
  apps: readonly TargetApp[];
  routing: NonNullable<CompiledRouting['apps']>;
  link: { domain: string; slug: string; utm: Utm | null };
  /** The Location that rules, split and destination resulted in; safe in a header. */
  web: string;
  /** What the visitor brought, for the app and for the fallback; `web` has it already. */
  forwarded: Forwarded;
  /** The click's token, which is handed to the app; null: no token, as in a trace. */
  token: string | null;
  /** The page that leads to the app; null: return what the page would lead to. */
  pageUrl: string | null;
  /** Whether the visitor comes back with a token of ours, so the app did not open. */
  isReturning: boolean;
}

/** Where a link that opens apps sends a visitor. */
export interface AppTarget {
  /** Null: to the web destination. */
  location: string | null;
  /** The reason, as a sentence. */
  why: string;
}

const NAMES = { ios: 'iOS', android: 'Android' };

/** Decides between the app, its store, the page that leads there and the web, in the order of docs/decisions/0016. */
export function appTarget(input: AppTargetInput): AppTarget {
  const { visitor, apps, web, isReturning, pageUrl } = input;
  const { platform, trafficClass, inApp } = visitor;
  if (trafficClass !== 'human') return stay(`Apps are opened for people; the visitor is a ${trafficClass}.`);
  if (platform !== 'ios' && platform !== 'android')
    return stay(`platform is ${platform}, apps open on ios and android.`);
  const app = apps.find((candidate) => candidate.platform === platform);
  if (!app) return stay(`The project has no ${NAMES[platform]} app.`);
  if (!isWeb(web)) return stay('The destination opens an app itself.');
  if (isReturning) return withoutApp(input, app);
  if (inApp !== null && pageUrl !== null)
    return go(pageUrl, `The browser inside ${inApp} opens no apps: a page helps.`);
  if (app.platform === 'android') {
    const intent = intentOf(input, app);
    if (intent.length <= MAX_URL_BYTES) return go(intent, 'An intent opens the app, or the fallback.');
    const why = `The intent would have ${intent.length} bytes, more than ${MAX_URL_BYTES}, because it contains the fallback.`;
    return { ...withoutApp(input, app), why };
  }
  const otherwise = withoutApp(input, app);
  const isStore = otherwise.location !== null && input.routing.ios.fallback === 'store';
  return isStore ? go(pageUrl ?? otherwise.location, 'A page leads to the App Store.') : otherwise;
}

type Opened = Pick<AppTargetInput, 'routing' | 'link' | 'forwarded' | 'token'>;

/** The intent that opens the link's place in the app, by the app's own scheme or else by the link's short URL. */
export function intentOf(input: Opened & { web: string }, app: AndroidTarget): string {
  const { routing, link, web } = input;
  const path = routing.android.deep_link_path ?? link.slug;
  const scheme = ownScheme(app);
  const carried = carriedBy(input);
  const url = scheme ? schemeUrl(scheme, path, carried) : urlForApp(`https://${link.domain}/${link.slug}`, carried);
  const { location } = withoutApp(input, app);
  // Browsers follow an intent's fallback only if it is a web address.
  const fallback = location !== null && isWeb(location) ? location : web;
  return intentUrl({ url, packageName: app.package, fallback });
}

/** Where visitors without the app go, according to `fallback`. */
function withoutApp(input: Opened, app: TargetApp): AppTarget {
  const { routing, link, forwarded } = input;
  const { fallback = null }: StoredAppRouting = routing[app.platform];
  if (fallback === null) return stay(`Without the ${NAMES[app.platform]} app the destination is the fallback.`);
  if (fallback !== 'store') return go(fallbackUrl(fallback, link.utm, forwarded), 'The fallback is a URL.');
  if (app.platform === 'android')
    return go(playStoreUrl(app.package, carriedBy(input)), 'The fallback is Google Play.');
  if (app.app_store_id === null) return stay('The iOS app has no app_store_id, so its store is not known.');
  return go(appStoreUrl(app.app_store_id), 'The fallback is the App Store.');
}

/** Where a fallback that is a URL leads a visitor: with the same additions as the destination that it replaces. */
export function fallbackUrl(fallback: string, utm: Utm | null, { query, path }: Forwarded): string {
  return locationOf(compileTarget(fallback, utm), query, path);
}

function carriedBy({ link, forwarded, token }: Opened) {
  return { utm: link.utm, forwarded, token };
}

function go(location: string | null, why: string): AppTarget {
  return { location, why };
}

function stay(why: string): AppTarget {
  return { location: null, why };
}

function isWeb(location: string): boolean {
  return /^https?:\/\//i.test(location);
}
