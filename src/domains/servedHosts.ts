import { LRUCache } from 'lru-cache';
import { selectBound } from '../db/selectBound.ts';
import { config } from '../kernel/config.ts';
import { baseHost, sdkHost } from '../kernel/origins.ts';
import { signals } from '../kernel/signals.ts';

/** Hosts that go on being known while the store is down. */
const REMEMBERED = 10_000;

export interface ServedHosts {
  /** Whether this installation answers on that host. Throws when the store is down and it is not remembered. */
  has(hostname: string): Promise<boolean>;
  close(): void;
}

/** The hosts of this installation, and the link domains of projects that were verified. */
export function openServedHosts(): ServedHosts {
  const remembered = new LRUCache<string, true>({ max: REMEMBERED });
  const unsubscribe = signals.on('domain', (hostname) => void remembered.delete(hostname));
  return {
    async has(hostname) {
      if (ownHosts().includes(hostname)) return true;
      try {
        const isServed = await isLinkDomain(hostname);
        if (isServed) remembered.set(hostname, true);
        else remembered.delete(hostname);
        return isServed;
      } catch (error) {
        if (remembered.has(hostname)) return true;
        throw error;
      }
    },
    close: unsubscribe,
  };
}

function ownHosts(): string[] {
  const hosts = [baseHost(), sdkHost(), config.linkDomain].filter((host) => host !== null);
  return hosts.map((host) => new URL(`http://${host}`).hostname);
}

async function isLinkDomain(hostname: string): Promise<boolean> {
  const rows = await selectBound(
    "SELECT id FROM domains WHERE hostname = $1 AND kind = 'link' AND verified_at IS NOT NULL",
    [hostname],
  );
  return rows.length > 0;
}
