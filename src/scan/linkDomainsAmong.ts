import { LRUCache } from 'lru-cache';
import { among, amongValue } from '../db/among.ts';
import { database } from '../db/database.ts';
import { selectBound } from '../db/selectBound.ts';
import { signals } from '../kernel/signals.ts';
import { mapSliced } from '../kernel/sliced.ts';
import type { ScannedUrl } from './scanMany.ts';
import { parseTarget } from './target.ts';

/** Links of a project lead to few hosts again and again. */
const REMEMBERED = 10_000;
/** Announcements of other processes may have been lost. */
const TTL_MS = 60_000;

/** By host: whether short links of a project are followed there. Of the store that is open. */
const known = new LRUCache<string, boolean>({ max: REMEMBERED, ttl: TTL_MS });
let store: unknown = null;

signals.on('domain', (hostname) => void known.delete(hostname));
signals.onMissed(() => known.clear());

/** The hosts among those of these URLs that are verified link domains of projects. The store is asked once, if at all. */
export async function linkDomainsAmong(urls: readonly ScannedUrl[]): Promise<string[]> {
  if (store !== database()) known.clear();
  store = database();
  const found = await mapSliced(urls, ({ url }) => webHost(url));
  const hosts = [...new Set(found.filter((host) => host !== null))];
  const isLinkDomain = new Map(hosts.map((host) => [host, known.get(host)]));
  const unknown = hosts.filter((host) => isLinkDomain.get(host) === undefined);
  for (const [host, is] of await lookUp(unknown)) {
    isLinkDomain.set(host, is);
    known.set(host, is);
  }
  return hosts.filter((host) => isLinkDomain.get(host) === true);
}

function webHost(url: string): string | null {
  const target = parseTarget(url);
  return target?.isWeb ? target.host : null;
}

async function lookUp(hosts: string[]): Promise<[string, boolean][]> {
  if (hosts.length === 0) return [];
  const rows = await selectBound<{ hostname: string }>(
    `SELECT hostname FROM domains WHERE kind = 'link' AND verified_at IS NOT NULL AND ${among('hostname', '$1')}`,
    [amongValue(hosts)],
  );
  const found = new Set(rows.map(({ hostname }) => hostname));
  return hosts.map((host) => [host, found.has(host)]);
}
