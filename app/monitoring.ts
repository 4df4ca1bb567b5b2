import { createServer } from 'node:http';
import { expectHeartbeat, hasAnsweredWithin } from '../src/db/connection/listen.ts';
import { query } from '../src/db/query.ts';
import type { ListenAddress } from '../src/kernel/config.ts';
import { withTimeout } from '../src/kernel/deadline.ts';
import { registry } from '../src/kernel/metrics.ts';
import { OWN_PATHS } from '../src/kernel/origins.ts';
import { gracefulClose } from '../src/net/gracefulClose.ts';
import { bind } from '../src/net/webServer.ts';

/** Health checks expect a response within a second. */
const TIMEOUT_MS = 900;

interface Parts {
  isStopping(): boolean;
  /** Whether the process can work without the store, as redirects from memory do. */
  worksWithoutStore(): boolean;
}

/** Returns a readiness check: null if the process can work, otherwise what is wrong. It takes less than a second. */
export function readiness({ isStopping, worksWithoutStore }: Parts): () => Promise<string | null> {
  let asking: Promise<unknown> | null = null;
  const ask = () => {
    asking ??= query('SELECT 1 AS one').finally(() => {
      asking = null;
    });
    return asking;
  };
  return async () => {
    if (isStopping()) return 'The process is shutting down.';
    if (worksWithoutStore()) return null;
    expectHeartbeat();
    try {
      await withTimeout(ask(), TIMEOUT_MS, () => new Error('late'));
      return null;
    } catch {
      // All connections of the pool may be busy with long queries.
      return hasAnsweredWithin(TIMEOUT_MS) ? null : 'The store cannot be reached.';
    }
  };
}

/** Serves `/metrics` on a separate port, for a Prometheus inside the network. Rejects when it cannot listen there. */
export async function startMetricsServer({ host, port }: ListenAddress): Promise<{ stop(): Promise<void> }> {
  const server = createServer(async ({ method, url }, response) => {
    const isAsked = url?.split('?')[0] === OWN_PATHS.metrics && (method === 'GET' || method === 'HEAD');
    response.setHeader('Cache-Control', 'no-store');
    if (!isAsked)
      return response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found. Use GET /metrics.\n');
    response.setHeader('Content-Type', registry.contentType);
    response.end(await registry.metrics());
  });
  const closing = gracefulClose(server);
  await bind(server, port, host);
  return { stop: () => closing.end() };
}
