import { MAX_URL_BYTES } from '../kernel/urls.ts';
import { appStoreUrl, intentUrl, ownScheme, playStoreUrl, schemeUrl, withToken } from './appUrls.ts';
import type { CompiledRouting, StoredAppRouting } from './compiledRouting.ts';
import { compileTarget, type Utm } from './destinationUrl.ts';
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

/** What is asked about an app of the project. */
export type TargetApp = IosTarget | AndroidTarget;

export interface AppQuestion {
  visitor: Pick<Visitor, 'platform' | 'trafficClass' | 'inApp'>;
  /** Of the project; the first of a platform is taken. */
  apps: readonly TargetApp[];
  routing: NonNullable<CompiledRouting['apps']>;
  link: { domain: string; slug: string; utm: Utm | null };
  /** The Location that rules, split and destination chose; safe in a header. */
  web: string;
  /** Carried into the app; null: none, when nobody goes there. */
  token: string | null;
  /** The page that leads to the app; null: its goal is given instead. */
  pageUrl: string | null;
  /** Comes back with a token of ours: the app did not open. */
  isReturning: boolean;
}

/** Where somebody goes who follows a link that opens apps. */
export interface AppTarget {
  /** Null: to the web like everybody else. */
  location: string | null;
  /** A sentence. */
  why: string;
}

const NAMES = { ios: 'iOS', android: 'Android' };

/** Decides between the app, its store, the page that leads there and the web, in the order of docs/decisions/0016. */
export function appTarget(question: AppQuestion): AppTarget {
  const { visitor, apps, web, isReturning, pageUrl } = question;
  const { platform, trafficClass, inApp } = visitor;
  if (trafficClass !== 'human') return stay(`Apps are opened for people; the visitor is a ${trafficClass}.`);
  if (platform !== 'ios' && platform !== 'android')
    return stay(`platform is ${platform}, apps open on ios and android.`);
  const app = apps.find((candidate) => candidate.platform === platform);
  if (!app) return stay(`The project has no ${NAMES[platform]} app.`);
  if (!isWeb(web)) return stay('The destination opens an app itself.');
  if (isReturning) return withoutApp(question, app);
  if (inApp !== null && pageUrl !== null)
    return go(pageUrl, `The browser inside ${inApp} opens no apps: a page helps.`);
  if (app.platform === 'android') {
    const intent = intentOf(question, app);
    if (intent.length <= MAX_URL_BYTES) return go(intent, 'An intent opens the app, or the fallback.');
    const why = `The intent would have ${intent.length} bytes, more than ${MAX_URL_BYTES}: it has the fallback in it.`;
    return { ...withoutApp(question, app), why };
  }
  const otherwise = withoutApp(question, app);
  const isStore = otherwise.location !== null && question.routing.ios.fallback === 'store';
  return isStore ? go(pageUrl ?? otherwise.location, 'A page leads to the App Store.') : otherwise;
}

/** The intent that opens the link's place in the app: by the app's scheme, else by the link's own address. */
export function intentOf(
  question: Pick<AppQuestion, 'routing' | 'link' | 'web' | 'token'>,
  app: AndroidTarget,
): string {
  const { routing, link, web, token } = question;
  const path = routing.android.deep_link_path ?? link.slug;
  const scheme = ownScheme(app);
  const url = scheme ? schemeUrl(scheme, path, token) : withToken(`https://${link.domain}/${link.slug}`, token);
  const { location } = withoutApp(question, app);
  // Browsers follow the fallback of an intent only to the web.
  const fallback = location !== null && isWeb(location) ? location : web;
  return intentUrl({ url, packageName: app.package, fallback });
}

/** Where `fallback` sends those who have not the app. */
function withoutApp(
  { routing, link, token }: Pick<AppQuestion, 'routing' | 'link' | 'token'>,
  app: TargetApp,
): AppTarget {
  const { fallback = null }: StoredAppRouting = routing[app.platform];
  if (fallback === null) return stay(`Without the ${NAMES[app.platform]} app the destination is the fallback.`);
  if (fallback !== 'store') return go(compileTarget(fallback, link.utm).url, 'The fallback is a URL.');
  if (app.platform === 'android') return go(playStoreUrl(app.package, token), 'The fallback is Google Play.');
  if (app.app_store_id === null) return stay('The iOS app has no app_store_id, so its store is not known.');
  return go(appStoreUrl(app.app_store_id), 'The fallback is the App Store.');
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
