import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { queryRaw } from '../db/query.ts';
import { type Config, config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { baseHost, sdkHost } from '../kernel/origins.ts';
import { signals } from '../kernel/signals.ts';
import { gracefulClose } from '../net/gracefulClose.ts';
import { bind } from '../net/webServer.ts';

/**
 * Answers Caddy's `ask` requests (docs/domains.md): 200 for hosts that may get a certificate. Certificates for other hosts
 * would use up the authority's rate limits.
 */
export async function startAskServer({
  askPort,
  askHost,
}: Pick<Config, 'askPort' | 'askHost'>): Promise<{ stop(): Promise<void> }> {
  const hosts = openServedHosts();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const status = await statusFor(request, hosts.has);
    response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
    response.end(`${TEXTS[status]}\n`);
  };
  const server = createServer((request, response) => void answer(request, response));
  const closing = gracefulClose(server);
  await bind(server, askPort, askHost);
  return {
    async stop() {
      hosts.close();
      await closing.end();
    },
  };
}

const TEXTS = {
  200: 'This host is served here.',
  400: 'Ask with one host name: /ask?domain=go.example.com',
  404: 'This host is not served here.',
  405: 'Only GET is allowed.',
  503: 'The store cannot be reached.',
} as const;

const HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/;

async function statusFor(
  { method, url }: IncomingMessage,
  isServed: (hostname: string) => Promise<boolean>,
): Promise<keyof typeof TEXTS> {
  const asked = URL.parse(url ?? '/', 'http://ask');
  if (asked?.pathname !== '/ask') return 404;
  if (method !== 'GET') return 405;
  const named = asked.searchParams.getAll('domain');
  const hostname = named[0]?.toLowerCase().replace(/\.$/, '') ?? '';
  if (named.length !== 1 || hostname.length > 253 || !HOST.test(hostname)) return 400;
  try {
    return (await isServed(hostname)) ? 200 : 404;
  } catch (error) {
    log.warn({ err: error, hostname }, 'could not look up whether this service serves a host');
    return 503;
  }
}

/** The most hosts that are remembered for when the store is down. */
const REMEMBERED = 10_000;

interface ServedHosts {
  /** Whether this installation serves the host. Throws if the store is down and the host is not remembered. */
  has(hostname: string): Promise<boolean>;
  close(): void;
}

/** Looks up the hosts of this installation and the verified link domains of projects. */
function openServedHosts(): ServedHosts {
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
  const rows = await queryRaw(
    "SELECT id FROM domains WHERE hostname = $1 AND kind = 'link' AND verified_at IS NOT NULL",
    [hostname],
  );
  return rows.length > 0;
}
