import { isOurs } from '../net/connect.ts';
import { isNoSuchName, openDnsChannel } from '../net/dns.ts';

/** The records that DNS returned, possibly none. `theirs`: no name server gave a usable answer; `ours`: we could not ask. */
export type Records = { found: string[] } | { fault: 'theirs' | 'ours'; detail: string };

/** A refused connection means a name server of our own settings, not one of the domain. */
const NOT_ASKED = ['ECONNREFUSED'];

/** The texts of a name's TXT records, each joined from its pieces. */
export async function askTxt(name: string, signal: AbortSignal): Promise<Records> {
  return ask(signal, async (channel) => (await channel.resolveTxt(name)).map((pieces) => pieces.join('')));
}

/** Browsers do not follow longer chains either. */
const MAX_HOPS = 10;

/** All names in the CNAME chain of a name, in lower case. */
export async function askAliases(name: string, signal: AbortSignal): Promise<Records> {
  const found: string[] = [];
  for (let at = name; found.length < MAX_HOPS; ) {
    const next = await ask(signal, (channel) => channel.resolveCname(at));
    if (!('found' in next)) return found.length > 0 ? { found } : next;
    const aliases = next.found.map((alias) => alias.toLowerCase().replace(/\.$/, ''));
    const fresh = aliases.filter((alias) => alias !== name && !found.includes(alias));
    found.push(...fresh);
    const last = fresh.at(-1);
    if (last === undefined) break;
    at = last;
  }
  return { found };
}

type Channel = ReturnType<typeof openDnsChannel>;

async function ask(signal: AbortSignal, query: (channel: Channel) => Promise<string[]>): Promise<Records> {
  if (signal.aborted) return faultOf(TOO_LATE);
  const channel = openDnsChannel();
  const giveUp = () => channel.cancel();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return { found: await query(channel) };
  } catch (error) {
    if (isNoSuchName(error)) return { found: [] };
    return faultOf(signal.aborted ? TOO_LATE : error);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

const TOO_LATE = Object.assign(new Error('No name server answered in time'), { code: 'ETIMEOUT' });

/** The fault behind a DNS error. */
export function faultOf(error: unknown): Exclude<Records, { found: string[] }> {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return { fault: NOT_ASKED.includes(code) || isOurs(error) ? 'ours' : 'theirs', detail: code || message };
}

/** Whether a name stands for this machine; name servers are not asked about it (RFC 6761). */
export function isLocalName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}
