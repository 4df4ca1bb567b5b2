import { hash as digest } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { DAY_MS } from '../kernel/durations.ts';
import { log } from '../kernel/log.ts';
import { dayName, keysOfDays } from './storedVisitorKeys.ts';

/** Both are 22 characters of base64url. */
export interface VisitorHashes {
  /** Of the address; of IPv6 the /64, which is what a household or a phone is given. */
  addressHash: string;
  /** Of the address and the User-Agent. */
  visitor: string;
}

export interface VisitorKeys {
  /**
   * Null: there is a key for that day. Else resolves once there is one, or after a moment in which the store gave none;
   * never rejects. A process may sleep past the hourly timer, or its clock jump.
   */
  renewal(nowMs: number): Promise<void> | null;
  /** The hashes with the key of the UTC day that `nowMs` lies in. */
  hashes(address: string, agent: string, nowMs: number): VisitorHashes;
  /** What clicks from the address have as `addressHash`, today and the day before: by the number of the UTC day. */
  addressHashes(address: string, nowMs: number): Map<number, string>;
  close(): void;
}

interface Today {
  /** Of the day, since the epoch; NaN: none yet. */
  number: number;
  /** 256 bits in base64url. */
  key: string;
}

const REFRESH_MS = 3_600_000;
/** A redirect waits so long for the key of a new day; a store that gives none is asked again after a second. */
const PATIENCE_MS = 80;
const ASK_AGAIN_MS = 1000;
/** Enough to tell browsers apart; the header may be as long as a header may be. */
const AGENT_LENGTH = 512;
/** Characters of base64url that carry 132 bits. */
const LENGTH = 22;

/** Gets the keys of today and tomorrow ready and keeps doing so each hour. Throws when the store cannot be reached. */
export async function openVisitorKeys(): Promise<VisitorKeys> {
  let keys = await keysOfDays();
  let hasWarned = false;
  let today: Today = { number: Number.NaN, key: '' };

  let renewing: Promise<void> | null = null;
  let failedAt = Number.NEGATIVE_INFINITY;

  const refresh = async () => {
    try {
      keys = await keysOfDays();
      today.number = Number.NaN;
      hasWarned = false;
    } catch (error) {
      log.warn({ err: error }, 'the keys of visitors could not be renewed; it is tried again within the hour');
    }
  };
  const timer = setInterval(() => void refresh(), REFRESH_MS).unref();

  const renewal = (nowMs: number) => {
    const number = Math.floor(nowMs / DAY_MS);
    if (number === today.number || keys.has(dayName(number))) return null;
    if (renewing === null && performance.now() - failedAt < ASK_AGAIN_MS) return null;
    renewing ??= refresh().finally(() => {
      renewing = null;
      if (!keys.has(dayName(number))) failedAt = performance.now();
    });
    return Promise.race([renewing, sleep(PATIENCE_MS, undefined, { ref: false })]);
  };

  const turnTo = (number: number) => {
    const day = dayName(number);
    let key = keys.get(day);
    if (key === undefined) {
      if (!hasWarned)
        log.warn({ day }, 'there is no key for the visitors of this day yet; the latest one stays in use');
      hasWarned = true;
      const latest = [...keys.keys()].sort().at(-1) as string;
      key = keys.get(latest) as Buffer;
    }
    // Under no day's number where it is another day's: it is looked for again at the next use.
    today = { number: keys.has(day) ? number : Number.NaN, key: key.toString('base64url') };
  };

  return {
    renewal,
    hashes(address, agent, nowMs) {
      const number = Math.floor(nowMs / DAY_MS);
      if (number !== today.number) turnTo(number);
      const { whole, network } = parse(address);
      return {
        addressHash: keyed(today.key, `address\n${network}`),
        visitor: keyed(today.key, `visitor\n${whole}\n${agent.slice(0, AGENT_LENGTH)}`),
      };
    },
    addressHashes(address, nowMs) {
      const { network } = parse(address);
      const number = Math.floor(nowMs / DAY_MS);
      const found = new Map<number, string>();
      for (const day of [number, number - 1]) {
        const key = keys.get(dayName(day));
        if (key) found.set(day, keyed(key.toString('base64url'), `address\n${network}`));
      }
      return found;
    },
    close: () => clearInterval(timer),
  };
}

/**
 * A MAC: unlike SHA-256, SHA-512/256 cannot be gone on with from what it gave, so the key may simply stand first. It costs
 * well under a microsecond, a fifth of an HMAC object: nearly every click is by a visitor whom this process has not seen.
 */
function keyed(key: string, text: string): string {
  return digest('sha512-256', key + text, 'base64url').slice(0, LENGTH);
}

/** One spelling for each address. What is no address stands for itself. */
function parse(address: string): { whole: string; network: string } {
  const bare = address.replace(/%.*$/, '');
  if (isIPv4(bare) || !isIPv6(bare)) return { whole: bare, network: bare };
  const parsed = ipaddr.IPv6.parse(bare);
  if (parsed.isIPv4MappedAddress()) {
    const mapped = parsed.toIPv4Address().toString();
    return { whole: mapped, network: mapped };
  }
  return { whole: parsed.toString(), network: ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/64`).toString() };
}
