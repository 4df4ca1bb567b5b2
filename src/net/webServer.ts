import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Closing, closingOf } from './closingOf.ts';
import type { Config } from './kernel/config.ts';
import { docUrl } from './kernel/origins.ts';
import { OWN_PATHS } from './kernel/ownPaths.ts';
import { requestIdOf } from './kernel/requestFacts.ts';

/** What listens on PORT: from before anything is made until everything in hand is done. */
export interface WebServer extends Closing {
  /** The port that is listened on. */
  port: number;
  /** Has requests answered; until then they are told to come back. */
  answerBy(listener: RequestListener): void;
}

type Settings = Pick<
  Config,
  'port' | 'host' | 'hasBaseUrl' | 'keepAliveSeconds' | 'requestSeconds' | 'uploadSeconds' | 'shutdownSeconds'
>;

/** With PORT=0: another program may have the port that IPv4 got on IPv6. */
const TRIES = 10;
/** Seconds until somebody who came too early should come back. */
const START_SECONDS = '5';
/** How long requests wait for the listener to be closed. */
const HOLD_MS = 100;
/** How long the rest of a request that is answered may take: clients that read no answer before they have sent it all get it. */
const UNREAD_MS = 10_000;
/** How long a stop waits for slow clients; half of it where it may take little time. */
const MOST_PATIENCE_MS = 10_000;
/** How often Node looks for requests that take too long. */
const CHECK_MS = 5000;

/**
 * Binds the port: all addresses, HOST, or while there is no BASE_URL those of this machine alone. On loopback IPv4 and
 * IPv6 both, where there are both: `localhost` is either.
 */
export async function openWebServer(settings: Settings): Promise<WebServer> {
  let answer = answerStarting;
  const take: RequestListener = (request, response) => {
    if (mayHaveBody(request)) endUnread(request, response);
    answer(request, response);
  };
  const make = () => timed(createServer({ connectionsCheckingInterval: CHECK_MS }, take), settings);
  const servers = await bindAll(addressesOf(settings), settings.port, make);
  const patienceMs = Math.min(MOST_PATIENCE_MS, settings.shutdownSeconds * 500);
  const closings = servers.map((server) => closingOf(server, patienceMs));
  return {
    port: portOf(servers),
    answerBy(listener) {
      answer = listener;
    },
    announce() {
      for (const { announce } of closings) announce();
    },
    async end(lingerMs = 0) {
      const goOn = answer;
      const held: Parameters<RequestListener>[] = [];
      if (lingerMs > 0) {
        // Connections that the kernel has made and we have not taken are reset with the listener. While nobody is answered,
        // they are taken as fast as they come, and whoever has got none yet waits.
        answer = (...asked) => void held.push(asked);
        await delay(HOLD_MS);
      }
      const ended = Promise.all(closings.map(({ end }) => end(lingerMs)));
      answer = goOn;
      for (const asked of held) goOn(...asked);
      await ended;
    },
  };
}

/** Undefined: every address. */
function addressesOf({ host, hasBaseUrl }: Settings): (string | undefined)[] {
  if (host) return [host];
  return hasBaseUrl ? [undefined] : ['127.0.0.1', '::1'];
}

function mayHaveBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** A body that has not come a while after the answer went out, which nobody reads, keeps its connection no longer. */
function endUnread(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete) return;
    const cutting = setTimeout(() => request.destroy(), UNREAD_MS).unref();
    request.once('close', () => clearTimeout(cutting));
  });
}

/** Bodies have bounds of their own (facade/readBody.ts); these are for what comes before them, and a last resort. */
function timed(server: Server, { keepAliveSeconds, requestSeconds, uploadSeconds }: Settings): Server {
  server.keepAliveTimeout = keepAliveSeconds * 1000;
  // Proxies that send a first byte just before the connection is closed must not be told that they were too slow.
  server.headersTimeout = Math.max(keepAliveSeconds, requestSeconds) * 1000 + CHECK_MS;
  server.requestTimeout = Math.max(server.headersTimeout, uploadSeconds * 1000) + CHECK_MS;
  return server;
}

async function bindAll(
  [first, ...others]: (string | undefined)[],
  port: number,
  make: () => Server,
): Promise<Server[]> {
  for (let attempt = 1; ; attempt += 1) {
    const servers: Server[] = [];
    try {
      servers.push(await bind(make(), port, first));
      for (const other of others) servers.push(...(await bindIfThere(make(), portOf(servers), other)));
      return servers;
    } catch (error) {
      for (const server of servers) server.close();
      if (port !== 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || attempt === TRIES) throw error;
    }
  }
}

/** Machines without IPv6 have no `::1`. */
async function bindIfThere(server: Server, port: number, address: string | undefined): Promise<Server[]> {
  try {
    return [await bind(server, port, address)];
  } catch (error) {
    if (['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** Throws when the port is taken. */
export function bind(server: Server, port: number, host: string | undefined): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host ? { host } : {}) }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

function portOf([first]: readonly Server[]): number {
  return (first?.address() as AddressInfo | undefined)?.port ?? 0;
}

/** The process lives, and is not ready. */
const answerStarting: RequestListener = (request, response) => {
  const path = request.url?.split('?')[0];
  const requestId = requestIdOf(request);
  const [status, body] =
    path === OWN_PATHS.healthz
      ? [200, { status: 'ok' }]
      : path === OWN_PATHS.readyz
        ? [503, { status: 'unavailable', message: STARTING }]
        : [
            503,
            {
              error: { code: 'unavailable', message: STARTING, request_id: requestId, doc_url: docUrl('unavailable') },
            },
          ];
  response.writeHead(status as number, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    ...(status === 200 ? {} : { 'Retry-After': START_SECONDS }),
  });
  response.end(JSON.stringify(body));
};

const STARTING = 'The service is starting. Try again in a moment.';
