import { addressProblem, literalAddress, specialNameProblem } from '../kernel/publicAddress.ts';
import { isRefusedScheme } from '../kernel/urls.ts';
import type { Blocklist } from './Blocklist.ts';
import { lookAlikeProblem, mixedScriptsProblem } from './lookAlike.ts';
import { type OwnHosts, ownHostProblem } from './ownHosts.ts';
import type { Target } from './target.ts';

/** What checks need besides the URL, gathered once for all URLs of a scan. */
export interface ScanContext {
  allowPrivate: boolean;
  own: OwnHosts;
  blocklists: Blocklist[];
}

/** How error messages describe a check. */
export interface CheckFacts {
  name: string;
  /** Completes "the check for …". */
  finds: string;
  /** What the author of a refused URL can do. */
  advice: string;
}

interface Check extends CheckFacts {
  /** Whether the check also applies to URLs with an app's own scheme. */
  forApps?: true;
  /** Why the URL is refused, as a sentence; null if it passes. */
  problem(target: Target, context: ScanContext): string | null;
}

/** Every check that asks no other service, in the order in which they run; the first problem decides. */
export const CHECKS: readonly Check[] = [
  {
    name: 'form',
    finds: 'malformed URLs',
    advice: 'Use an http or https URL without user name and password.',
    forApps: true,
    problem: formProblem,
  },
  {
    name: 'private_address',
    finds: 'private addresses',
    advice: 'Use an address that every visitor can reach.',
    problem: privateHostProblem,
  },
  {
    name: 'own_host',
    finds: 'redirect loops',
    advice: 'Use the URL that the short link leads to.',
    problem: ownHostProblem,
  },
  {
    name: 'mixed_scripts',
    finds: 'host names that mix scripts',
    advice: 'Use a host name whose parts are each written in one script.',
    problem: mixedScriptsProblem,
  },
  {
    name: 'look_alike',
    finds: 'look-alike host names',
    advice: 'Use the host name that is meant.',
    problem: lookAlikeProblem,
  },
  {
    name: 'blocklist',
    finds: 'harmful sites',
    advice: 'Use another site, or ask the operator of this service to review the list.',
    problem: blocklistProblem,
  },
];

/** The problem that a check found, and the place of the URL. */
export interface Finding {
  path: string;
  check: CheckFacts;
  problem: string;
}

/** Input validation has checked this already; stored URLs may be older than its rules. */
function formProblem({ url, isWeb, host }: Target): string | null {
  const scheme = url.protocol.slice(0, -1);
  if (isRefusedScheme(scheme)) return `The scheme ${scheme}: is not allowed.`;
  if (url.username || url.password) return 'The URL has a user name or password in it.';
  if (!isWeb) return null;
  return host === '' || host.includes('..') || host.startsWith('.') ? 'The host name has an empty label.' : null;
}

/**
 * Refuses hosts that visitors cannot reach, or that mean a different machine for each of them. `allowPrivate` never
 * allows the metadata addresses of clouds.
 */
export function privateHostProblem(
  { host }: Pick<Target, 'host'>,
  { allowPrivate }: Pick<ScanContext, 'allowPrivate'>,
): string | null {
  const literal = literalAddress(host);
  return literal
    ? addressProblem(literal, { allowPrivate, isWritten: true })
    : specialNameProblem(host, { allowPrivate, byVisitors: true });
}

/** Refuses URLs that are on one of the operator's blocklists. */
export function blocklistProblem(target: Target, { blocklists }: Pick<ScanContext, 'blocklists'>): string | null {
  for (const blocklist of blocklists) {
    const entry = blocklist.find(target);
    if (entry) return `${entry} is on a list of harmful sites.`;
  }
  return null;
}
