import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { config } from '../src/kernel/config.ts';
import { baseHost, canonicalHost, INSTANCE_PATH, isOwnPath, OWN_PATHS, sdkHost } from '../src/kernel/origins.ts';
import { instanceMark } from '../src/kernel/secrets.ts';
import { answerUnknownHost, type RedirectHandler } from '../src/redirect/handler.ts';

interface Handlers {
  /** Everything on the host of BASE_URL: API, GraphQL, dashboard, operations. */
  app: RequestListener;
  /** Short links; null in a process without redirects. */
  redirect: RedirectHandler | null;
  /** The page that opens apps, on the host of BASE_URL. */
  appPage: RequestListener;
}

const SLASH = 0x2f;

/** Requested by load balancers, which know an address and not our host name. */
const PROBES: ReadonlySet<string> = new Set([OWN_PATHS.healthz, OWN_PATHS.readyz]);

const SDK = OWN_PATHS.sdk.split('/')[1];

/** Clients that look for a way to sign in ask for these on the host of the API, and must not get the page of an unknown link. */
const OAUTH_METADATA = /^\/\.well-known\/oauth-(protected-resource|authorization-server)(\/|$)/;

const APP_PAGE = OWN_PATHS.openApp.slice(1);

/**
 * Passes each request on by its host and first path segment. This happens before any framework, because redirects are the
 * hot path. An unknown host gets 404.
 */
export function dispatch({ app, redirect, appPage }: Handlers): RequestListener {
  const hostOf = rememberLast(canonicalHost);
  return (request, response) => {
    if (hasTwoHosts(request.rawHeaders)) return refuseTwoHosts(response);
    if (request.url?.charCodeAt(0) !== SLASH) takeAbsoluteForm(request);
    const host = hostOf(request.headers.host);
    const path = pathOf(request.url ?? '/');
    if (path === INSTANCE_PATH) return answerInstance(response);
    const isBase = host === baseHost();
    if (isBase && firstSegment(path) === APP_PAGE) return appPage(request, response);
    if (isBase && (isOwnPath(path) || OAUTH_METADATA.test(path))) return app(request, response);
    // An invalid Host is null, and so is `sdkHost` without SDK_URL.
    if (host !== null && host === sdkHost() && firstSegment(path) === SDK) return app(request, response);
    if (isBase && host !== config.linkDomain) return app(request, response);
    if (PROBES.has(path) && host !== config.linkDomain) return app(request, response);
    if (redirect && host !== null) return redirect(request, response, host);
    if (isBase) return app(request, response);
    return answerUnknownHost(request, response);
  };
}

/** Served on every host: health checks of link domains request it. */
function answerInstance(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' }).end(instanceMark());
}

/**
 * RFC 9112, section 3.2: a request with two Host headers is refused with 400. Node uses the first one, while a proxy in
 * front of it may have used the second.
 */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

function refuseTwoHosts(response: ServerResponse): void {
  response.writeHead(400, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store', Connection: 'close' });
  response.end('A request must have one Host header.\n');
}

/** `GET http://go.example.com/spring`, the absolute form that proxies send and servers must accept (RFC 9112). */
function takeAbsoluteForm(request: IncomingMessage): void {
  const [, host, rest] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(request.url ?? '') ?? [];
  if (host === undefined || rest === undefined) return;
  request.headers.host = host;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
}

function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? path.slice(1) : path.slice(1, end);
}

/** Caches the last result: nearly all requests of a process have the same Host. */
function rememberLast(parse: (header: string | undefined) => string | null) {
  let lastHeader: string | undefined;
  let lastHost: string | null = null;
  let lastDomain = '';
  return (header: string | undefined) => {
    if (header !== lastHeader || config.linkDomain !== lastDomain) {
      lastHost = parse(header);
      lastHeader = header;
      lastDomain = config.linkDomain;
    }
    return lastHost;
  };
}
