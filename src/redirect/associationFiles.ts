import { signals } from '../kernel/signals.ts';
import type { App } from '../models/Project.ts';
import { answer, answerPage } from './answer.ts';
import { appLinks } from './association/appLinks.ts';
import { assetLinks } from './association/assetLinks.ts';
import { loadDomainApps } from './association/loadDomainApps.ts';
import type { Exchange } from './Exchange.ts';
import { Remembered } from './Remembered.ts';

/** What each file says of the apps of a domain; null: of none. */
const FILES: Record<string, (apps: readonly App[]) => object | null> = {
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
  const content = file?.(await appsOf(domain.hostname, domain.projectId)) ?? null;
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

/** By host and project. Answers go on as they were while the store is away. */
const known = new Remembered<readonly App[]>({
  max: 1000,
  load(key) {
    const [hostname = '', projectId] = key.split(' ');
    return loadDomainApps(hostname, projectId || null);
  },
  ttlMs: () => TTL_MS,
  // Systems keep what they are told for days: better a little later than what was there before a change.
  waitMs: 1000,
});

for (const topic of ['project', 'domain'] as const) signals.on(topic, () => known.doubt());
signals.onMissed(() => known.doubt());

async function appsOf(hostname: string, projectId: string | null): Promise<readonly App[]> {
  return (await known.find(`${hostname} ${projectId ?? ''}`)) ?? [];
}
