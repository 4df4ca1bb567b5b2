import { config } from '../kernel/config.ts';
import { addressProblem } from '../kernel/publicAddress.ts';
import type { Seen } from '../models/Domain.ts';
import { isNoSuchName, systemResolver } from '../net/dns.ts';
import { askAliases, faultOf, isLocalName, type Records } from './askRecords.ts';
import type { ProofResult } from './checkDomain.ts';
import { findAddresses, knownAddresses, linkTarget } from './ownAddresses.ts';

/** The most addresses that are listed. */
const SHOWN_ADDRESSES = 8;

/** Whether a name points to this service: as an alias of our link target, or because all its addresses are ours. */
export async function checkRouting(hostname: string, signal: AbortSignal): Promise<ProofResult> {
  const none: Records = { found: [] };
  const [aliases, addresses, own] = await Promise.all([
    isLocalName(hostname) ? none : askAliases(hostname, signal),
    askAddresses(hostname, signal),
    Promise.race([findAddresses(), late(signal)]).catch(() => knownAddresses()),
  ]);
  const names = 'found' in aliases ? aliases.found : [];
  const found = 'found' in addresses ? addresses.found : [];
  const isOurs = found.length > 0 && own !== null && found.every((address) => own.includes(address));
  const isProven = names.includes(linkTarget()) || isOurs;
  const isOurFault = isFaultOfOurs(aliases) || isFaultOfOurs(addresses) || (found.length > 0 && own === null);
  const shown = found.map((address) => (own?.includes(address) || isPublic(address) ? address : NOT_PUBLIC));
  const isInside = shown.includes(NOT_PUBLIC) && !isProven;
  const seen = {
    alias: 'found' in aliases && !isInside ? names.slice(0, 1) : null,
    addresses: 'found' in addresses ? [...new Set(shown)].slice(0, SHOWN_ADDRESSES) : null,
    isRouted: isProven,
  };
  return { isProven, problem: problemOf(hostname, seen, addresses), isOurFault, seen };
}

/** Private addresses are not shown: otherwise anyone with a name server could look up names inside our network. */
const NOT_PUBLIC = 'an address that is not public';

function isPublic(address: string): boolean {
  return addressProblem(address, { allowPrivate: config.allowPrivateTargets }) === null;
}

async function askAddresses(hostname: string, signal: AbortSignal): Promise<Records> {
  try {
    const found = await Promise.race([systemResolver(hostname), late(signal)]);
    return { found: found.map(({ address }) => address) };
  } catch (error) {
    return isNoSuchName(error) ? { found: [] } : faultOf(error);
  }
}

function late(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const giveUp = () => reject(Object.assign(new Error('No name server answered in time'), { code: 'ETIMEOUT' }));
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
  });
}

function isFaultOfOurs(records: Records): boolean {
  return 'fault' in records && records.fault === 'ours';
}

function problemOf(hostname: string, { alias, addresses }: Pick<Seen, 'alias' | 'addresses'>, asked: Records): string {
  if ('fault' in asked) return `the name servers returned no answer for ${hostname} (${asked.detail})`;
  if (!addresses?.length) return `${hostname} has no address`;
  if (alias?.length) return `${hostname} points to ${alias[0]} instead of ${linkTarget()}`;
  return `${hostname} has addresses that are not those of this service (it points to ${addresses.join(', ')})`;
}
