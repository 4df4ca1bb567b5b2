import { config, isLoopback } from './config.ts';
import type { ErrorCode } from './errors.ts';
import { OWN_PATHS } from './ownPaths.ts';

/** The host that API, GraphQL and dashboard answer on, as in a URL. Asked with every redirect, so it is remembered. */
export function baseHost(): string {
  if (knownOrigin !== config.baseUrl) {
    knownOrigin = config.baseUrl;
    knownHost = new URL(knownOrigin).host;
  }
  return knownHost;
}

/** The host of SDK_URL, where apps may ask too; null without one. */
export function sdkHost(): string | null {
  if (knownSdk?.origin !== config.sdkUrl) {
    knownSdk = { origin: config.sdkUrl, host: config.sdkUrl && new URL(config.sdkUrl).host };
  }
  return knownSdk.host;
}

let knownSdk: { origin: string | null; host: string | null } | undefined;
let knownOrigin = '';
let knownHost = '';

/** Where a link can be followed. */
export function shortUrl(domain: string, slug: string): string {
  return `${linkOrigin(domain)}/${slug}`;
}

/**
 * Where a link domain is reached: by the scheme of BASE_URL, and where LINK_DOMAIN does not say otherwise at its port, which
 * is the default one everywhere but on machines where things are tried out.
 */
export function linkOrigin(domain: string): string {
  const { protocol, port } = new URL(config.baseUrl);
  const isOwn = domain === config.linkDomain || domain === baseHost() || /:\d+$/.test(domain);
  return `${protocol}//${domain}${isOwn || !port ? '' : `:${port}`}`;
}

/** Whether a link domain is the host of our own pages, at whatever port: what systems know of apps goes by the name. */
export function isOnBaseHost(domain: string): boolean {
  return new URL(`http://${domain}`).hostname === new URL(config.baseUrl).hostname;
}

/** The ports of this machine that are meant for everybody: where this service listens, and where it is reached. */
export function servedPorts(): number[] {
  const { protocol, port } = new URL(config.baseUrl);
  return [config.port, Number(port || (protocol === 'https:' ? 443 : 80))];
}

/** Whether BASE_URL is this very machine, as it is where things are tried out. */
export function isBaseOnThisMachine(): boolean {
  return isLoopback(baseHost());
}

/**
 * The canonical form of a Host header: lower case, no trailing dot, no port that is the scheme's default, and none at all
 * for the link domains of projects. Every address of this machine is taken for the base host while BASE_URL is one of them.
 * Null for what cannot be a host.
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

/** Where the reference says what an error code means and what to do. */
export function docUrl(code: ErrorCode): string {
  return `${config.baseUrl}${OWN_PATHS.reference}#error-${code}`;
}
