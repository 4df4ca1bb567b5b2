import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closingOf } from '../closingOf.ts';
import type { Config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { bind } from '../webServer.ts';
import { openServedHosts } from './servedHosts.ts';

/** Caddy's `ask` (docs/domains.md): 200 for hosts that may have a certificate. Others would use up the authority's limits. */
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
  const closing = closingOf(server);
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
  405: 'Only GET.',
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
    log.warn({ err: error, hostname }, 'it could not be said whether a host is served');
    return 503;
  }
}
