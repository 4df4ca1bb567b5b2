import { openDnsChannel } from './dnsChannel.ts';
import type { Found } from './resolver.ts';

/** Some name servers never answer for one family: the other's addresses wait this long for it. */
const OTHER_FAMILY_MS = 1000;

/** What DNS says of a name that has no address, as against a name server that fails or does not answer. */
const NO_SUCH_NAME = ['ENOTFOUND', 'ENODATA', 'EBADNAME'];

export interface DnsOptions {
  timeoutMs: number;
  /** `address` or `address:port`; unset: those of DNS_SERVERS or the system. */
  servers?: string[];
}

/**
 * Asks for the addresses of both families at once and gives them, IPv4 first; those of one family when the other has
 * none or fails. Rejects with the code of DNS: ETIMEOUT after `timeoutMs`; see `isNoSuchName`.
 *
 * By c-ares and not the system's getaddrinfo: that occupies a thread of the few that all file work shares for as long as
 * a name hangs.
 */
export async function askDns(hostname: string, { timeoutMs, servers }: DnsOptions): Promise<Found[]> {
  const channel = openDnsChannel(servers);
  const giveUp = () => channel.cancel();
  const timers = [setTimeout(giveUp, timeoutMs)];
  const addressesOf = async (family: 4 | 6): Promise<Found[]> => {
    const addresses = await (family === 4 ? channel.resolve4(hostname) : channel.resolve6(hostname));
    timers.push(setTimeout(giveUp, OTHER_FAMILY_MS));
    return addresses.map((address) => ({ address, family }));
  };
  const answers = await Promise.allSettled([addressesOf(4), addressesOf(6)]);
  for (const timer of timers) clearTimeout(timer);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found;
  throw whyNone(answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : [])));
}

/** Whether the question was answered, with no. */
export function isNoSuchName(error: unknown): boolean {
  return NO_SUCH_NAME.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** A name exists not when both answers say so; else the failure counts. */
function whyNone(errors: NodeJS.ErrnoException[]): Error {
  const failure = errors.find((error) => !isNoSuchName(error)) ?? errors[0];
  if (failure && failure.code !== 'ECANCELLED') return failure;
  return Object.assign(new Error('No name server answered in time'), { code: 'ETIMEOUT' });
}
