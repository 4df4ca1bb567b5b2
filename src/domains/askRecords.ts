import { isNoSuchName } from '../net/askDns.ts';
import { isOurs } from '../net/connectFailure.ts';
import { openDnsChannel } from '../net/dnsChannel.ts';

/** What DNS says; none is an answer too. `theirs`: no name server answered well; `ours`: we could not even ask. */
export type Records = { found: string[] } | { fault: 'theirs' | 'ours'; detail: string };

/** A name server that refuses our packets is one of our own settings, not one of the domain. */
const NOT_ASKED = ['ECONNREFUSED'];

/** Texts of the TXT records of a name, each in one piece. */
export async function askTxt(name: string, signal: AbortSignal): Promise<Records> {
  return ask(signal, async (channel) => (await channel.resolveTxt(name)).map((pieces) => pieces.join('')));
}

/** Longer chains do not work for browsers either. */
const MAX_HOPS = 10;

/** Every name that a name is an alias of, in lower case. */
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

async function ask(signal: AbortSignal, question: (channel: Channel) => Promise<string[]>): Promise<Records> {
  if (signal.aborted) return faultOf(TOO_LATE);
  const channel = openDnsChannel();
  const giveUp = () => channel.cancel();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return { found: await question(channel) };
  } catch (error) {
    if (isNoSuchName(error)) return { found: [] };
    return faultOf(signal.aborted ? TOO_LATE : error);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

const TOO_LATE = Object.assign(new Error('No name server answered in time'), { code: 'ETIMEOUT' });

/** Of any error of DNS. */
export function faultOf(error: unknown): Exclude<Records, { found: string[] }> {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return { fault: NOT_ASKED.includes(code) || isOurs(error) ? 'ours' : 'theirs', detail: code || message };
}
