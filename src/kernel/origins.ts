import { config, isLoopback } from './config.ts';
import type { ErrorCode } from './errors.ts';
import { whileSame } from './memoize.ts';

/** The paths that the product itself serves on the host of BASE_URL; no short link there can start with one of them. */
export const OWN_PATHS = {
  api: '/api/v1',
  sdk: '/v1/sdk',
  graphql: '/graphql',
  liveClicks: '/graphql/clicks',
  /** Files for people at the dashboard: exports, reports, and uploads of imports. */
  linksFile: '/graphql/links.csv',
  importFiles: '/graphql/imports',
  /** Archives of teams: `/graphql/teams/<id>/archive.zip`. */
  teamFiles: '/graphql/teams',
  dashboard: '/app',
  reference: '/reference',
  mcp: '/mcp',
  llms: '/llms.txt',
  llmsFull: '/llms-full.txt',
  /** The page that opens an app or its store. An unlikely name for a short link. */
  openApp: '/_open',
  /** SDK packages for webhook receivers and for apps. */
  downloads: '/downloads',
  healthz: '/healthz',
  readyz: '/readyz',
  metrics: '/metrics',
} as const;

/** Every host that points here serves the mark of this installation at this path, by which health checks recognize it. */
export const INSTANCE_PATH = '/.well-known/svc-instance';

/** The first segments of these paths: `api`, `v1`, `graphql`, … */
export const RESERVED_SEGMENTS: ReadonlySet<string> = new Set(
  Object.values(OWN_PATHS).map((path) => path.split('/')[1] as string),
);

/** Guides are at `/docs/<name>.md`. This first segment is not reserved: short links may be called `docs` or `docs/handbook`. */
export const GUIDES_PATH = '/docs';
const GUIDE = /^\/docs\/[a-z0-9-]+\.md$/;

/** Whether the product itself serves this path on the host of BASE_URL, so that no short link there can have it. */
export function isOwnPath(path: string): boolean {
  const end = path.indexOf('/', 1);
  return path === '/' || RESERVED_SEGMENTS.has(end < 0 ? path.slice(1) : path.slice(1, end)) || GUIDE.test(path);
}

/** The host of BASE_URL, which serves the API, GraphQL and the dashboard. Cached, because every redirect needs it. */
export const baseHost = whileSame(
  () => config.baseUrl,
  (url) => new URL(url).host,
);

/** The host of SDK_URL, which also serves the SDK endpoints; null if it is unset. */
export const sdkHost = whileSame(
  () => config.sdkUrl,
  (url) => url && new URL(url).host,
);

/** The URL of a short link. */
export function shortUrl(domain: string, slug: string): string {
  return `${linkOrigin(domain)}/${slug}`;
}

/**
 * The origin of a link domain: the scheme of BASE_URL, and its port unless the domain names one. Only development setups
 * use a port other than the default.
 */
export function linkOrigin(domain: string): string {
  const { protocol, port } = new URL(config.baseUrl);
  const isOwn = domain === config.linkDomain || domain === baseHost() || /:\d+$/.test(domain);
  return `${protocol}//${domain}${isOwn || !port ? '' : `:${port}`}`;
}

/** Whether a link domain is the host of BASE_URL, at any port: app association files apply to host names. */
export function isOnBaseHost(domain: string): boolean {
  return new URL(`http://${domain}`).hostname === new URL(config.baseUrl).hostname;
}

/** The public ports of this machine: the one this service listens on, and the one of BASE_URL. */
export function servedPorts(): number[] {
  const { protocol, port } = new URL(config.baseUrl);
  return [config.port, Number(port || (protocol === 'https:' ? 443 : 80))];
}

/** Whether BASE_URL points to this machine, as it does in development. */
export function isBaseOnThisMachine(): boolean {
  return isLoopback(baseHost());
}

/**
 * The canonical form of a Host header: lower case, without a trailing dot, without the default port of the scheme, and
 * without any port for the link domains of projects. While BASE_URL is a loopback address, every loopback address counts as
 * its host. Returns null for what cannot be a host.
 */
export function canonicalHost(header: string | undefined): string | null {
  if (!header || header.length > 260) return null;
  const defaultPort = config.baseUrl.startsWith('https:') ? ':443' : ':80';
  let host = header.toLowerCase();
  if (host.endsWith(defaultPort)) host = host.slice(0, -defaultPort.length);
  host = host.replace(/\.(?=$|:)/, '');
  if (host === config.linkDomain) return host;
  if (isLoopback(host) && isLoopback(baseHost())) return baseHost();
  const port = new URL(config.baseUrl).port;
  if (port && host !== baseHost() && host !== sdkHost() && host.endsWith(`:${port}`))
    host = host.slice(0, -port.length - 1);
  return /^[a-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/.test(host) ? host : null;
}

/** The URL of the documentation of an error code. */
export function docUrl(code: ErrorCode): string {
  return `${config.baseUrl}${OWN_PATHS.reference}#error-${code}`;
}
