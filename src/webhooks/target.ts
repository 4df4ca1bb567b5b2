import { setTimeout as sleep } from 'node:timers/promises';
import { addressProblem, literalAddress } from '../kernel/publicAddress.ts';
import { type Resolver, systemResolver } from './resolver.ts';

const MAX_URL_LENGTH = 2048;

/** Names that only mean something inside a machine or a network (RFC 6761, 6762, 8375; `.internal` is set aside by ICANN). */
const INSIDE_NAMES = ['localhost', 'localdomain', 'local', 'internal', 'home.arpa'];

/** What a resolver says of a name that has no address, as against a resolver that fails. */
const NO_SUCH_NAME = ['ENOTFOUND', 'NXDOMAIN', 'ENODATA', 'NODATA'];

export interface TargetOptions {
  allowPrivate: boolean;
  /** Hosts of this installation, with or without a port. */
  ownHosts: string[];
}

/** Why a webhook may not have this URL, for people to read; null when it may. Asks no DNS. */
export function targetProblem(url: string, { allowPrivate, ownHosts }: TargetOptions): string | null {
  if (url.length > MAX_URL_LENGTH) return `The URL must have at most ${MAX_URL_LENGTH} characters.`;
  // The URL parser drops line breaks and tabs wherever they stand, and trims: what is saved must be what is meant.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\s\u0000-\u001f\u007f]/.test(url)) return 'The URL must not contain spaces or control characters.';
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return 'The URL must be a complete https:// address.';
  const { protocol, username, password, hostname, port } = new URL(url);
  if (protocol === 'http:' && !allowPrivate) return 'The URL must begin with https://.';
  if (username || password) return 'The URL must not contain a user name or password.';
  return (
    portProblem(Number(port || (protocol === 'http:' ? 80 : 443)), allowPrivate) ??
    hostProblem(hostname, { allowPrivate, ownHosts })
  );
}

function portProblem(port: number, allowPrivate: boolean): string | null {
  if (port === 443 || port >= 1024 || (allowPrivate && port === 80)) return null;
  return 'The port must be 443, or 1024 or above.';
}

function hostProblem(hostname: string, { allowPrivate, ownHosts }: TargetOptions): string | null {
  const literal = literalAddress(hostname);
  if (literal) {
    const problem = addressProblem(literal, { allowPrivate });
    if (problem) return problem;
  } else if (hostname.endsWith('.') || hostname.includes('..')) {
    return 'The host name must not end with a dot or have an empty part.';
  }
  if (allowPrivate) return null;
  if (ownHosts.some((own) => hostnameOf(own) === hostname)) return 'The URL must not lead back to this service.';
  if (!literal && !hostname.includes('.')) return 'The host must be a full name such as hooks.example.com.';
  if (INSIDE_NAMES.some((name) => hostname === name || hostname.endsWith(`.${name}`))) {
    return 'The host name is only known inside a network.';
  }
  return null;
}

/** As `URL` spells it, so that case, IDN and brackets compare. */
function hostnameOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/\.$/, '') : host;
}

export interface ResolveOptions {
  allowPrivate: boolean;
  resolver?: Resolver;
  timeoutMs: number;
}

/**
 * Why a webhook may not go to this host, by what DNS says now: no such name, or an address that is not public. Null when
 * it may, and also when the resolver fails or takes longer than `timeoutMs`: that is no fault of the caller's.
 */
export async function resolveTarget(
  hostname: string,
  { allowPrivate, resolver = systemResolver, timeoutMs }: ResolveOptions,
): Promise<string | null> {
  const literal = literalAddress(hostname);
  if (literal) return addressProblem(literal, { allowPrivate });
  const waiting = new AbortController();
  try {
    const found = await Promise.race([resolver(hostname), sleep(timeoutMs, null, { signal: waiting.signal })]);
    if (found === null) return null;
    if (found.length === 0) return noSuchName(hostname);
    const problems = found.map(({ address }) => addressProblem(address, { allowPrivate }));
    const problem = problems.find((text) => text !== null);
    return problem ? `${hostname} leads to an address that is not allowed: ${problem}` : null;
  } catch (error) {
    return NO_SUCH_NAME.includes((error as NodeJS.ErrnoException).code ?? '') ? noSuchName(hostname) : null;
  } finally {
    waiting.abort();
  }
}

function noSuchName(hostname: string): string {
  return `The host name ${hostname} does not exist.`;
}
