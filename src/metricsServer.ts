import { createServer } from 'node:http';
import { closingOf } from './closingOf.ts';
import type { ListenAddress } from './kernel/config.ts';
import { registry } from './kernel/metrics.ts';
import { OWN_PATHS } from './kernel/ownPaths.ts';
import { bind } from './webServer.ts';

/** Serves `/metrics` on a port of its own, for a Prometheus inside the network. Rejects when it cannot listen there. */
export async function startMetricsServer({ host, port }: ListenAddress): Promise<{ stop(): Promise<void> }> {
  const server = createServer(async ({ method, url }, response) => {
    const isAsked = url?.split('?')[0] === OWN_PATHS.metrics && (method === 'GET' || method === 'HEAD');
    response.setHeader('Cache-Control', 'no-store');
    if (!isAsked) return response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Only GET /metrics is here.\n');
    response.setHeader('Content-Type', registry.contentType);
    response.end(await registry.metrics());
  });
  const closing = closingOf(server);
  await bind(server, port, host);
  return { stop: () => closing.end() };
}
