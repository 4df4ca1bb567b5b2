import { setTimeout as sleep } from 'node:timers/promises';
import { memoize } from '../kernel/cache.ts';
import { config } from '../kernel/config.ts';
import { validationFailed } from '../kernel/errors.ts';
import { addressProblem, literalAddress, specialNameProblem } from '../kernel/publicAddress.ts';
import { notPublic, vet } from '../net/connect.ts';
import { isNoSuchName, type Resolver, systemResolver } from '../net/dns.ts';
import { isOwnHost, parseOwnHost } from '../net/ownHost.ts';

/** How long saving a webhook waits for DNS. A slow resolver is no reason to refuse the URL. */
const RESOLVE_MS = 3000;

/** Throws `validation_failed` for a URL that deliveries could never be sent to; undefined stands for no change. */
export async function checkTarget(url: string | undefined): Promise<void> {
  if (url === undefined) return;
  const allowPrivate = config.allowPrivateTargets;
  const problem = targetProblem(url, { allowPrivate, ownHosts: ownHosts() }) ?? (await lookUp(new URL(url)));
  if (problem) throw validationFailed([{ path: 'url', message: problem }]);
}

function lookUp(url: URL): Promise<string | null> {
  const { allowPrivateTargets: allowPrivate } = config;
  return resolveTarget(url.hostname, { allowPrivate, port: portOf(url), timeoutMs: RESOLVE_MS });
}

/** The hosts of this installation: its public ones, and the port that it listens on. */
function ownHosts(): string[] {
  const origins = [config.baseUrl, config.sdkUrl].filter((origin) => origin !== null);
  return [...origins.map((origin) => new URL(origin).host), config.linkDomain, `localhost:${config.port}`];
}

const MAX_URL_LENGTH = 2048;

const USE_PUBLIC = 'Use a publicly reachable host, such as hooks.example.com.';

interface TargetOptions {
  allowPrivate: boolean;
  /** Hosts of this installation, with or without a port. */
  ownHosts: string[];
}

/** Why a webhook may not have this URL, with advice for the user; null when it may. Does not query DNS. */
export function targetProblem(url: string, options: TargetOptions): string | null {
  if (url.length > MAX_URL_LENGTH) return `The URL is too long. Use at most ${MAX_URL_LENGTH} characters.`;
  // The URL parser silently removes line breaks, tabs and outer spaces, so the saved URL would differ from the requested one.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this looks for control characters
  if (/[\s\u0000-\u001f\u007f]/.test(url)) {
    return 'The URL contains spaces or control characters. Remove or percent-encode them.';
  }
  const parsed = URL.parse(url);
  if (parsed && !/^https?:$/.test(parsed.protocol))
    return `The scheme ${parsed.protocol} is not supported. Use https:.`;
  if (!parsed || !/^https?:\/\//i.test(url)) {
    return 'The URL is incomplete. Use a full URL, such as https://hooks.example.com/in.';
  }
  return schemeProblem(parsed, options) ?? portProblem(parsed, options) ?? hostProblem(parsed, options);
}

function schemeProblem({ protocol, username, password }: URL, { allowPrivate }: TargetOptions): string | null {
  if (protocol === 'http:' && !allowPrivate) return 'Over http: events would be sent unencrypted. Use https:.';
  if (!username && !password) return null;
  return 'The URL contains a user name or password. Remove them; your receiver can verify requests by their signature.';
}

function portProblem(url: URL, { allowPrivate }: TargetOptions): string | null {
  const port = portOf(url);
  if (port === 443 || port >= 1024 || (allowPrivate && port === 80)) return null;
  return `Port ${port} is not allowed. Use 443, or a port from 1024 up.`;
}

function hostProblem(url: URL, options: TargetOptions): string | null {
  const { hostname } = url;
  const { allowPrivate } = options;
  if (isOurs(url, options)) return `${hostname} is this service itself. Use the host of your receiver.`;
  const literal = literalAddress(hostname);
  if (!literal && (hostname.endsWith('.') || hostname.includes('..'))) {
    return 'The host name ends with a dot or has an empty part. Use a name such as hooks.example.com.';
  }
  const problem = literal
    ? addressProblem(literal, { allowPrivate, isWritten: true })
    : specialNameProblem(hostname, { allowPrivate });
  return withAdvice(problem);
}

function withAdvice(problem: string | null): string | null {
  return problem && `${problem} ${USE_PUBLIC}`;
}

/**
 * Whether the URL leads to this service. Where private addresses are allowed, a receiver may run on the same machine, so
 * there the port counts too.
 */
function isOurs({ hostname, port }: URL, { allowPrivate, ownHosts }: TargetOptions): boolean {
  const name = hostname.replace(/\.$/, '');
  const hosts = ownHosts.map(parseOwnHost);
  return hosts.some((own) => (allowPrivate ? isOwnHost(name, port, own) : name === own.hostname));
}

function portOf({ protocol, port }: URL): number {
  return Number(port || (protocol === 'http:' ? 80 : 443));
}

interface ResolveOptions {
  allowPrivate: boolean;
  port: number;
  resolver?: Resolver;
  timeoutMs: number;
}

/**
 * Why a webhook may not go to this host according to DNS, with advice for the user: the name does not exist or has an
 * address that is not public. Null when it may, and when the resolver fails or takes longer than `timeoutMs`.
 */
export async function resolveTarget(
  hostname: string,
  { allowPrivate, port, resolver = systemResolver, timeoutMs }: ResolveOptions,
): Promise<string | null> {
  const literal = literalAddress(hostname);
  if (literal) return withAdvice(vet(literal, port, { allowPrivate, isWritten: true }));
  const waiting = new AbortController();
  try {
    const found = await Promise.race([resolver(hostname), sleep(timeoutMs, null, { signal: waiting.signal })]);
    if (found === null) return null;
    if (found.length === 0) return noSuchName(hostname);
    const isBlocked = found.some(({ address }) => vet(address, port, { allowPrivate }) !== null);
    return isBlocked ? withAdvice(notPublic(hostname)) : null;
  } catch (error) {
    return isNoSuchName(error) ? noSuchName(hostname) : null;
  } finally {
    waiting.abort();
  }
}

function noSuchName(hostname: string): string {
  return `The host name ${hostname} does not exist. Check the spelling, or try again once it is in DNS.`;
}

const MAX_CACHED = 2000;

/** The parts of a target that a request needs. */
interface Destination {
  origin: string;
  /** With the query. */
  path: string;
  /** Why the URL is not allowed; null when it is. */
  problem: string | null;
}

/** Caches destinations by URL: deliveries go to the same few URLs, and parsing costs more than a lookup. */
export class Destinations {
  readonly #allowed = { private: cached(true), public: cached(false) };

  of(url: string, { allowPrivate }: { allowPrivate: boolean }): Destination {
    return this.#allowed[allowPrivate ? 'private' : 'public'](url);
  }
}

function cached(allowPrivate: boolean): (url: string) => Destination {
  return memoize((url: string) => parse(url, allowPrivate), MAX_CACHED);
}

function parse(url: string, allowPrivate: boolean): Destination {
  const problem = targetProblem(url, { allowPrivate, ownHosts: [] });
  if (problem) return { origin: '', path: '', problem };
  const { origin, pathname, search } = new URL(url);
  return { origin, path: `${pathname}${search}`, problem };
}
