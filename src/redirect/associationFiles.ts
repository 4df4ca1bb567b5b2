import { LRUCache } from 'lru-cache';
import { signals } from '../kernel/signals.ts';
import type { App } from '../models/Project.ts';
import { answer, answerPage } from './answer.ts';
import { appLinks } from './association/appLinks.ts';
import { assetLinks } from './association/assetLinks.ts';
import { loadDomainApps } from './association/loadDomainApps.ts';
import type { Exchange } from './Exchange.ts';

/** What each file says of the apps of a domain; null: of none. */
const FILES: Record<string, (apps: readonly App[], hostname: string) => object | null> = {
  '/.well-known/apple-app-site-association': appLinks,
  '/apple-app-site-association': appLinks,
  '/.well-known/assetlinks.json': assetLinks,
};

/** Whether systems ask here which apps open the links of the domain. */
export function isAssociationPath(path: string): boolean {
  return path.startsWith('/.well-known/') || path === '/apple-app-site-association';
}

/** Throws when the store is down and memory does not know the apps of the domain. */
export async function answerAssociation(exchange: Exchange): Promise<void> {
  const { request, path, domain } = exchange;
  const file = Object.hasOwn(FILES, path) ? FILES[path] : undefined;
  if (file && request.method === 'POST') {
    answer(exchange, 405, ['Allow', 'GET, HEAD', 'Content-Length', '0']);
    return;
  }
  const content = file?.(await appsOf(domain.hostname, domain.projectId), domain.hostname) ?? null;
  if (content === null) {
    answerPage(exchange, 'not_found');
    return;
  }
  const body = Buffer.from(JSON.stringify(content));
  // Apple takes application/json alone, and asks through caches of its own.
  const headers = ['Content-Type', 'application/json', 'Cache-Control', 'public, max-age=300'];
  answer(exchange, 200, [...headers, 'Content-Length', String(body.length)], body);
}

const TTL_MS = 5000;

interface Entry {
  apps: readonly App[];
  /** Milliseconds of the monotonic clock. */
  freshUntil: number;
}

const known = new LRUCache<string, Entry>({ max: 1000 });
/** Raised with each change of a project: what was asked for before it is not kept. */
let version = 0;

function forget(): void {
  version += 1;
  for (const entry of known.values()) entry.freshUntil = 0;
}

signals.on('project', forget);
signals.on('domain', forget);
signals.onMissed(forget);

/** Answers go on as they were while the store is down. */
async function appsOf(hostname: string, projectId: string | null): Promise<readonly App[]> {
  const key = `${hostname} ${projectId}`;
  const entry = known.get(key);
  if (entry && performance.now() < entry.freshUntil) return entry.apps;
  const before = version;
  try {
    const apps = await loadDomainApps(hostname, projectId);
    known.set(key, { apps, freshUntil: version === before ? performance.now() + TTL_MS : 0 });
    return apps;
  } catch (error) {
    if (entry) return entry.apps;
    throw error;
  }
}
