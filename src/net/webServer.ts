import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../kernel/config.ts';
import { requestIdOf } from '../kernel/incomingRequest.ts';
import { docUrl, OWN_PATHS } from '../kernel/origins.ts';
import { type GracefulClose, gracefulClose } from './gracefulClose.ts';

/** The server on PORT. It listens before anything else starts, until the last request is answered. */
export interface WebServer extends Omit<GracefulClose, 'acceptWaiting'> {
  /** The actual port, also if PORT is 0. */
  port: number;
  /** Sets what answers requests; before that they get a 503 with Retry-After. */
  setListener(listener: RequestListener): void;
}

type Settings = Pick<
  Config,
  'port' | 'host' | 'hasBaseUrl' | 'keepAliveSeconds' | 'requestSeconds' | 'uploadSeconds' | 'shutdownSeconds'
>;

/** With PORT=0: the port that the system chose for IPv4 may be taken on IPv6. */
const TRIES = 10;
/** Retry-After, in seconds, while the process starts. */
const START_SECONDS = '5';
/** How long new requests are held back while the listener closes. */
export const HOLD_MS = 100;
/** How long the rest of an answered request may take: some clients read no response before they have sent everything. */
const UNREAD_MS = 10_000;
/** How long a stop waits for slow clients at most; it is also bounded by half of the time for shutting down. */
const MAX_PATIENCE_MS = 10_000;
/** Interval at which Node checks for requests that take too long. */
const CHECK_MS = 5000;

/**
 * Binds the port on HOST, on all addresses, or, as long as there is no BASE_URL, on loopback only. On loopback it binds
 * both IPv4 and IPv6 if the machine has both, because `localhost` can mean either. Rejects if the port is taken.
 */
export async function openWebServer(settings: Settings): Promise<WebServer> {
  let answer = answerStarting;
  const handle: RequestListener = (request, response) => {
    if (mayHaveBody(request)) endUnread(request, response);
    answer(request, response);
  };
  const make = () => timed(createServer({ connectionsCheckingInterval: CHECK_MS }, handle), settings);
  const servers = await bindAll(addressesOf(settings), settings.port, make);
  const patienceMs = Math.min(MAX_PATIENCE_MS, settings.shutdownSeconds * 500);
  const closings = servers.map((server) => gracefulClose(server, patienceMs));
  return {
    port: portOf(servers),
    setListener(listener) {
      answer = listener;
    },
    announce() {
      for (const { announce } of closings) announce();
    },
    async end(lingerMs = 0) {
      const goOn = answer;
      const held: Parameters<RequestListener>[] = [];
      if (lingerMs > 0) {
        // Closing the listener resets connections that Node has not accepted yet. Clients that wait for an answer make no
        // more of them.
        answer = (...asked) => void held.push(asked);
        await delay(HOLD_MS);
        await Promise.all(closings.map(({ acceptWaiting }) => acceptWaiting()));
      }
      const ended = Promise.all(closings.map(({ end }) => end(lingerMs)));
      answer = goOn;
      for (const asked of held) goOn(...asked);
      await ended;
    },
  };
}

/** Undefined stands for every address. */
function addressesOf({ host, hasBaseUrl }: Settings): (string | undefined)[] {
  if (host) return [host];
  return hasBaseUrl ? [undefined] : ['127.0.0.1', '::1'];
}

function mayHaveBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Closes the connection if the request body has not arrived some time after the response was sent. */
function endUnread(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete) return;
    const cutting = setTimeout(() => request.destroy(), UNREAD_MS).unref();
    request.once('close', () => clearTimeout(cutting));
  });
}

/** Bodies have limits of their own (facade/readBody.ts); these apply to request heads, and as a last resort. */
function timed(server: Server, { keepAliveSeconds, requestSeconds, uploadSeconds }: Settings): Server {
  server.keepAliveTimeout = keepAliveSeconds * 1000;
  // Longer than keep-alive: a proxy that sends its first byte just before the close must not get a 408.
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

/** Skips `::1` on machines without IPv6. */
async function bindIfThere(server: Server, port: number, address: string | undefined): Promise<Server[]> {
  try {
    return [await bind(server, port, address)];
  } catch (error) {
    if (['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** Rejects if the port is taken. */
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

/** Answers while the process starts: alive, but not ready. */
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
