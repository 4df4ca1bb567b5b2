import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { config } from './kernel/config.ts';
import { baseHost, canonicalHost } from './kernel/origins.ts';
import { OWN_PATHS, RESERVED_SEGMENTS } from './kernel/ownPaths.ts';

interface Surfaces {
  /** Everything of the base host: API, GraphQL, dashboard, operations. */
  app: RequestListener;
  /** Short links; null where this process follows none. */
  redirect: ((request: IncomingMessage, response: ServerResponse, domain: string) => void) | null;
}

/** Asked by machines that know an address and not our name. */
const PROBES: ReadonlySet<string> = new Set([OWN_PATHS.healthz, OWN_PATHS.readyz, OWN_PATHS.metrics]);

/**
 * Sends each request where it belongs, by host and first path segment, before any framework: redirects are the hot
 * path. A host that is none of ours gets 404.
 */
export function dispatch({ app, redirect }: Surfaces): RequestListener {
  const hostOf = rememberLast(canonicalHost);
  return (request, response) => {
    const host = hostOf(request.headers.host);
    const path = pathOf(request.url ?? '/');
    const isBase = host === baseHost();
    if (isBase && (path === '/' || RESERVED_SEGMENTS.has(firstSegment(path)))) return app(request, response);
    if (host === config.linkDomain && redirect) return redirect(request, response, host);
    if (isBase || PROBES.has(path)) return app(request, response);
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
    response.end('This host is not served here.\n');
  };
}

function pathOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}

function firstSegment(path: string): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? path.slice(1) : path.slice(1, end);
}

/** Nearly all requests of a process carry the same Host. */
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
