import { hash as digest } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { insertInto, withJsonRows } from '../db/jsonRows.ts';
import { query } from '../db/query.ts';
import { sealFor, unsealFor } from '../db/sealedColumns.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { log } from '../kernel/log.ts';
import { randomToken } from '../kernel/secrets.ts';

/** Both are 22 characters of base64url. */
interface VisitorHashes {
  /** Of the address; of IPv6 the /64, which a household or a phone is assigned. */
  addressHash: string;
  /** Of the address and the User-Agent. */
  visitor: string;
}

export interface VisitorKeys {
  /**
   * Null when there is a key for that day. Otherwise resolves once there is one, or after a short wait without one; never
   * rejects. Needed because a process may sleep past the hourly timer, or its clock may jump.
   */
  renewal(nowMs: number): Promise<void> | null;
  /** The hashes with the key of the UTC day of `nowMs`. */
  hashes(address: string, agent: string, nowMs: number): VisitorHashes;
  /** The `addressHash` of clicks from the address, by UTC day since the epoch: today and yesterday. */
  addressHashes(address: string, nowMs: number): Map<number, string>;
  close(): void;
}

interface Today {
  /** The UTC day since the epoch; NaN: none yet. */
  number: number;
  /** 256 bits in base64url. */
  key: string;
}

const REFRESH_MS = 3_600_000;
/** Longest wait of a redirect for the key of a new day, and the pause before the store is asked for it again. */
const KEY_WAIT_MS = 80;
const RETRY_MS = 1000;
/** Characters of the User-Agent that are hashed: enough to tell browsers apart. */
const AGENT_LENGTH = 512;
/** Characters of a hash in base64url: 132 bits. */
const LENGTH = 22;

/**
 * Loads the keys of today and tomorrow, and again each hour. Throws when the store cannot be reached, unless
 * `mayWait`: until it can, a key of this process alone is used, so that its visitors are told apart but not recognized.
 */
export async function openVisitorKeys(mayWait = false): Promise<VisitorKeys> {
  let keys = await keysOfDays().catch((error: unknown) => {
    if (!mayWait) throw error;
    return new Map([['', Buffer.from(randomToken(32), 'base64url')]]);
  });
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
      log.warn({ err: error }, 'the visitor keys could not be renewed; the next attempt is within the hour');
    }
  };
  const timer = setInterval(() => void refresh(), REFRESH_MS).unref();

  const renewal = (nowMs: number) => {
    const number = Math.floor(nowMs / DAY_MS);
    if (number === today.number || keys.has(dayName(number))) return null;
    if (renewing === null && performance.now() - failedAt < RETRY_MS) return null;
    renewing ??= refresh().finally(() => {
      renewing = null;
      if (!keys.has(dayName(number))) failedAt = performance.now();
    });
    return Promise.race([renewing, sleep(KEY_WAIT_MS, undefined, { ref: false })]);
  };

  const switchTo = (number: number) => {
    const day = dayName(number);
    let key = keys.get(day);
    if (key === undefined) {
      if (!hasWarned) log.warn({ day }, 'there is no visitor key for this day yet; the latest one stays in use');
      hasWarned = true;
      const latest = [...keys.keys()].sort().at(-1) as string;
      key = keys.get(latest) as Buffer;
    }
    // The key of another day gets no day number, so the next use looks for the right one again.
    today = { number: keys.has(day) ? number : Number.NaN, key: key.toString('base64url') };
  };

  return {
    renewal,
    hashes(address, agent, nowMs) {
      const number = Math.floor(nowMs / DAY_MS);
      if (number !== today.number) switchTo(number);
      return hashesWith(today.key, address, agent);
    },
    addressHashes: (address, nowMs) => hashesByDay(keys, address, nowMs),
    close: () => clearInterval(timer),
  };
}

function hashesWith(key: string, address: string, agent: string): VisitorHashes {
  const { whole, network } = parse(address);
  return {
    addressHash: keyed(key, `address\n${network}`),
    visitor: keyed(key, `visitor\n${whole}\n${agent.slice(0, AGENT_LENGTH)}`),
  };
}

function hashesByDay(keys: ReadonlyMap<string, Buffer>, address: string, nowMs: number): Map<number, string> {
  const { network } = parse(address);
  const today = Math.floor(nowMs / DAY_MS);
  const hashes = new Map<number, string>();
  for (const day of [today, today - 1]) {
    const key = keys.get(dayName(day));
    if (key) hashes.set(day, keyed(key.toString('base64url'), `address\n${network}`));
  }
  return hashes;
}

/**
 * A MAC. Unlike SHA-256, SHA-512/256 allows no length extension, so the key can simply be prepended. It takes well under a
 * microsecond, a fifth of an HMAC object, which counts because nearly every click is of a visitor new to this process.
 */
function keyed(key: string, text: string): string {
  return digest('sha512-256', key + text, 'base64url').slice(0, LENGTH);
}

/** One spelling for each address; text that is no address is kept. */
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

/** Today and two days before: matching looks back past midnight, and nothing should look back further. */
const DAYS_KEPT = 3;

/**
 * The keys by UTC day (`2026-11-21`), including tomorrow's, so that midnight needs no store. Creates missing ones; of several
 * processes the first wins. Once a key is deleted, no hash made with it can be traced to an address.
 */
async function keysOfDays(): Promise<Map<string, Buffer>> {
  const today = Math.floor(clock.now() / DAY_MS);
  const made = [today, today + 1].map(dayName).map((day) => [day, sealFor('visitorKey', [day], randomToken(32))]);
  const stored = await inTransaction(async (transaction) => {
    const onConflict = 'ON CONFLICT (day) DO NOTHING';
    await insertInto('visitor_keys', { day: 'text', key: 'text' }, made, { transaction, onConflict });
    await withJsonRows(
      { day: 'text' },
      [[dayName(today - DAYS_KEPT + 1)]],
      'DELETE FROM visitor_keys WHERE day < (SELECT day FROM given)',
      transaction,
    );
    return query<{ day: string; key: string }>('SELECT day, key FROM visitor_keys', {}, transaction);
  });
  return new Map(stored.map(({ day, key }) => [day, Buffer.from(unsealFor('visitorKey', [day], key), 'base64url')]));
}

/** A day since the epoch as `2026-11-21`. */
function dayName(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
