import { RESERVED_SEGMENTS } from '../kernel/ownPaths.ts';
import type { ScanContext } from './checks.ts';
import type { OwnHost } from './ownHosts.ts';
import type { Target } from './target.ts';

/** All of them are this machine: in development any may be taken for the base host. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A port that is not named, and the ones that it can stand for. */
const DEFAULT_PORTS = ['', '80', '443'];

/** Short links that lead to short links are loops and chains. What we answer there ourselves may be linked to. */
export function ownHostProblem(target: Target, { own }: Pick<ScanContext, 'own'>): string | null {
  const isService = own.serviceHosts.some((host) => isSame(target, host));
  if (!isService && !own.linkDomains.some((host) => isSame(target, host))) return null;
  if (isService && isOwnPath(target.url.pathname)) return null;
  return `${target.url.host} is where the short links of this service are: one cannot lead to another.`;
}

function isOwnPath(path: string): boolean {
  return path === '/' || RESERVED_SEGMENTS.has(path.split('/')[1] as string);
}

function isSame({ host, url }: Target, own: OwnHost): boolean {
  if (host !== own.hostname && !(LOOPBACK.test(host) && LOOPBACK.test(own.hostname))) return false;
  return own.port === '' ? DEFAULT_PORTS.includes(url.port) : url.port === own.port;
}
