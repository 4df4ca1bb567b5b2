import { setTimeout as sleep } from 'node:timers/promises';
import { addressProblem, isLoopback, literalAddress } from '../kernel/publicAddress.ts';
import { specialNameProblem } from '../kernel/specialName.ts';
import { isNoSuchName } from '../net/askDns.ts';
import { notPublic, vet } from '../net/connect.ts';
import { type Resolver, systemResolver } from '../net/resolver.ts';

const MAX_URL_LENGTH = 2048;

const USE_PUBLIC = 'Use a host that everybody can reach, such as hooks.example.com.';

export interface TargetOptions {
  allowPrivate: boolean;
  /** Hosts of this installation, with or without a port. */
  ownHosts: string[];
}

/** Why a webhook may not have this URL and what to do, for people to read; null when it may. Asks no DNS. */
export function targetProblem(url: string, options: TargetOptions): string | null {
  if (url.length > MAX_URL_LENGTH) return `The URL is too long. Use at most ${MAX_URL_LENGTH} characters.`;
  // The URL parser drops line breaks and tabs wherever they stand, and trims: what is saved must be what is meant.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\s\u0000-\u001f\u007f]/.test(url)) {
    return 'The URL contains spaces or control characters. Take them out or percent-encode them.';
  }
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed && !/^https?:$/.test(parsed.protocol)) return `The scheme ${parsed.protocol} cannot be used. Use https:.`;
  if (!parsed || !/^https?:\/\//i.test(url)) {
    return 'The URL is not complete. Use one such as https://hooks.example.com/in.';
  }
  return schemeProblem(parsed, options) ?? portProblem(parsed, options) ?? hostProblem(parsed, options);
}

function schemeProblem({ protocol, username, password }: URL, { allowPrivate }: TargetOptions): string | null {
  if (protocol === 'http:' && !allowPrivate) return 'http: would show the events to everybody on the way. Use https:.';
  if (!username && !password) return null;
  return 'The URL contains a user name or password. Take them out; the signature shows your receiver who sends.';
}

function portProblem(url: URL, { allowPrivate }: TargetOptions): string | null {
  const port = portOf(url);
  if (port === 443 || port >= 1024 || (allowPrivate && port === 80)) return null;
  return `Port ${port} cannot be used. Use 443, or one from 1024 up.`;
}

function hostProblem(url: URL, { allowPrivate, ownHosts }: TargetOptions): string | null {
  const { hostname } = url;
  if (ownHosts.some((own) => isSame(url, own, allowPrivate))) {
    return `${hostname} is this service itself. Use the host of your receiver.`;
  }
  const literal = literalAddress(hostname);
  if (!literal && (hostname.endsWith('.') || hostname.includes('..'))) {
    return 'The host name ends with a dot or has an empty part. Write it like hooks.example.com.';
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
 * Whether the URL leads to `own`. Where private addresses are allowed a receiver may run on the same machine, so that the
 * port counts too; every spelling of loopback is one host there.
 */
function isSame(url: URL, own: string, portCounts: boolean): boolean {
  // As `URL` spells it, so that case, IDN and brackets compare; an `own` without a port is one with the scheme's.
  const ownUrl = URL.canParse(`${url.protocol}//${own}`) ? new URL(`${url.protocol}//${own}`) : null;
  if (!ownUrl) return false;
  if (!portCounts) return nameOf(ownUrl) === nameOf(url);
  const isSameHost = nameOf(ownUrl) === nameOf(url) || (isThisMachine(ownUrl) && isThisMachine(url));
  return isSameHost && portOf(ownUrl) === portOf(url);
}

function nameOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, '');
}

function isThisMachine(url: URL): boolean {
  const literal = literalAddress(url.hostname);
  return literal ? isLoopback(literal) : /(^|\.)localhost$/.test(nameOf(url));
}

export function portOf({ protocol, port }: URL): number {
  return Number(port || (protocol === 'http:' ? 80 : 443));
}

export interface ResolveOptions {
  allowPrivate: boolean;
  port: number;
  resolver?: Resolver;
  timeoutMs: number;
}

/**
 * Why a webhook may not go to this host and what to do, by what DNS says now: no such name, or an address that is not
 * public. Null when it may, and also when the resolver fails or takes longer than `timeoutMs`: no fault of the caller's.
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
  return `The host name ${hostname} does not exist. Check its spelling, or save again once DNS knows it.`;
}
