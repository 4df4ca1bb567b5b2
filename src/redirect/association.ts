import { signals } from '../kernel/signals.ts';
import type { AndroidApp, App, IosApp } from '../models/Project.ts';
import { answer, answerPage, type Exchange } from './answer.ts';
import { loadDomainApps } from './domainApps.ts';
import type { LinkDomain } from './linkDomains.ts';
import type { DomainApps } from './SnapshotState.ts';
import { StoreCache } from './StoreCache.ts';

/** Where iOS and Android look for their files. */
export const APPLE_PATH = '/.well-known/apple-app-site-association';
export const ANDROID_PATH = '/.well-known/assetlinks.json';

/** Path → the content of the file for the apps of a domain; null: there is no such file. */
const FILES: Record<string, (apps: readonly App[]) => object | null> = {
  [APPLE_PATH]: appLinks,
  '/apple-app-site-association': appLinks,
  [ANDROID_PATH]: assetLinks,
};

/** Whether a path may be one of the files by which iOS and Android find the apps that open the links of a domain. */
export function isAssociationPath(path: string): boolean {
  return path.startsWith('/.well-known/') || path === '/apple-app-site-association';
}

/** Answers with an association file. Throws if the apps of the domain are not cached and the store is down. */
export async function answerAssociation(exchange: Exchange): Promise<void> {
  const { request, path, domain } = exchange;
  if (Object.hasOwn(FILES, path) && request.method === 'POST') {
    answer(exchange, 405, ['Allow', 'GET, HEAD', 'Content-Length', '0']);
    return;
  }
  const text = await associationText(path, domain);
  if (text === null) {
    answerPage(exchange, 'not_found');
    return;
  }
  const body = Buffer.from(text);
  // Apple accepts application/json only, and fetches through its own caches.
  const headers = ['Content-Type', 'application/json', 'Cache-Control', 'public, max-age=300'];
  answer(exchange, 200, [...headers, 'Content-Length', String(body.length)], body);
}

/** The text of an association file of a link domain; null if there is none. Throws like `answerAssociation`. */
export async function associationText(
  path: string,
  { hostname, projectId }: Pick<LinkDomain, 'hostname' | 'projectId'>,
): Promise<string | null> {
  const file = Object.hasOwn(FILES, path) ? FILES[path] : undefined;
  const content = file?.(await appsOf(hostname, projectId)) ?? null;
  return content && JSON.stringify(content);
}

const TTL_MS = 5000;

/** As many as there are link domains in memory: a snapshot has the apps of all of them. */
const MAX_CACHED = 10_000;

/** By host and project. Serves stale values while the store is down. */
const known = new StoreCache<readonly App[]>({
  max: MAX_CACHED,
  load(key) {
    const [hostname = '', projectId] = key.split(' ');
    return loadDomainApps(hostname, projectId || null);
  },
  ttlMs: () => TTL_MS,
  // Devices keep these files for days: a slower answer is better than an outdated one.
  waitMs: 1000,
});

for (const topic of ['project', 'domain'] as const) signals.on(topic, () => known.expireAll());
signals.onMissed(() => known.expireAll());

/** Takes over what a snapshot says of the apps that open links of a domain. */
export function rememberApps({ hostname, projectId, apps }: DomainApps): void {
  known.remember(keyOf(hostname, projectId), apps);
}

function keyOf(hostname: string, projectId: string | null): string {
  return `${hostname} ${projectId ?? ''}`;
}

async function appsOf(hostname: string, projectId: string | null): Promise<readonly App[]> {
  return (await known.find(keyOf(hostname, projectId))) ?? [];
}

interface Component {
  '/': string;
  exclude?: true;
  comment?: string;
}

/** The file of iOS for Universal Links: which apps open which paths. Null without iOS apps. */
export function appLinks(apps: readonly App[]): object | null {
  const ios = apps.filter((app): app is IosApp => app.platform === 'ios');
  if (ios.length === 0) return null;
  const appIDs = [...new Set(ios.map(({ team_id, bundle_id }) => `${team_id}.${bundle_id}`))];
  return { applinks: { details: [{ appIDs, components: COMPONENTS }] } };
}

/** The first one that matches a path decides. */
const COMPONENTS: Component[] = [
  ...['/', '/.well-known/*', '/apple-app-site-association'].map(excluded),
  { ...excluded('/*+'), comment: 'Shows where a link leads.' },
  { '/': '/*' },
];

function excluded(path: string): Component {
  return { '/': path, exclude: true };
}

const RELATION = ['delegate_permission/common.handle_all_urls'];

/** The file of Android for App Links: which apps, with which signatures, open the links of a domain. Null without any. */
export function assetLinks(apps: readonly App[]): object[] | null {
  const signed = apps.filter(
    (app): app is AndroidApp => app.platform === 'android' && app.sha256_fingerprints.length > 0,
  );
  if (signed.length === 0) return null;
  return signed.map((app) => ({
    relation: RELATION,
    target: {
      namespace: 'android_app',
      package_name: app.package,
      sha256_cert_fingerprints: app.sha256_fingerprints,
    },
  }));
}
