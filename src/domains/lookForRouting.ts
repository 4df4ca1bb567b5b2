import { isNoSuchName } from '../net/askDns.ts';
import { systemResolver } from '../net/resolver.ts';
import { askAliases, faultOf, type Records } from './askRecords.ts';
import { isLocalName } from './isLocalName.ts';
import type { Answer } from './lookAt.ts';
import { findAddresses, knownAddresses, linkTarget } from './ownAddresses.ts';

/** More addresses than this are not listed. */
const SHOWN = 4;

/** Whether a name leads here: as an alias of our own, or by addresses that are all ours. */
export async function lookForRouting(hostname: string, signal: AbortSignal): Promise<Answer> {
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
  return { isProven, problem: problemOf(hostname, { aliases, addresses }), isOurFault };
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

function problemOf(hostname: string, { aliases, addresses }: { aliases: Records; addresses: Records }): string {
  if ('fault' in addresses) return `the name servers do not answer for ${hostname} (${addresses.detail})`;
  if (addresses.found.length === 0) return `${hostname} has no address`;
  const alias = 'found' in aliases ? aliases.found[0] : undefined;
  if (alias !== undefined) return `${hostname} points to ${alias} instead of ${linkTarget()}`;
  return `${hostname} points to ${addresses.found.slice(0, SHOWN).join(', ')}, which is not only this service`;
}
