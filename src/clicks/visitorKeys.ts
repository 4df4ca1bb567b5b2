import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { database, select } from '../db/database.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { clock } from '../kernel/clock.ts';
import { log } from '../kernel/log.ts';
import { startLoop } from '../kernel/loop.ts';
import { randomToken, seal, unseal } from '../kernel/secrets.ts';
import { DAY_MS } from './periods.ts';

/** Days whose keys are kept, today's included: an install may follow its click over midnight. */
const DAYS_KEPT = 3;
const REFRESH_MS = 3_600_000;

export interface Hashes {
  /** Of the address alone; of an IPv6 one its /64. */
  addressHash: string;
  /** Of address and agent: another one each UTC day. */
  visitor: string;
}

/** No address is stored anywhere: only hashes under a random key of the day, which is deleted after three days. */
export interface VisitorKeys {
  hashes(address: string, agent: string, nowMs: number): Hashes;
  close(): Promise<void>;
}

/** Reads the keys, makes those of today and tomorrow ahead of time, and keeps doing so. */
export async function openVisitorKeys(): Promise<VisitorKeys> {
  let keys = await refreshKeys();
  const loop = startLoop(
    async () => {
      keys = await refreshKeys();
    },
    () => REFRESH_MS,
    (error) => log.warn({ err: error }, 'keys of visitors could not be refreshed; the latest ones stay in use'),
  );
  const remembered = new LRUCache<string, Hashes>({ max: 50_000 });
  let rememberedDay = -1;
  return {
    hashes(address, agent, nowMs) {
      const day = Math.floor(nowMs / DAY_MS);
      if (day !== rememberedDay) {
        remembered.clear();
        rememberedDay = day;
      }
      const who = `${address} ${agent}`;
      const known = remembered.get(who);
      if (known) return known;
      const made = hash(keyOfDay(keys, day), address, agent);
      remembered.set(who, made);
      return made;
    },
    close: loop.stop,
  };
}

function hash(key: string, address: string, agent: string): Hashes {
  const network = networkOf(address);
  const digest = (text: string) =>
    createHmac('sha256', key).update(text).digest().subarray(0, 16).toString('base64url');
  return { addressHash: digest(network), visitor: digest(`${network}\n${agent}`) };
}

/** A household shares an IPv6 /64 and changes addresses inside it all day. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.parse(address.split('%')[0] as string);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const ipv6 = parsed as ipaddr.IPv6;
  return ipv6.isIPv4MappedAddress() ? ipv6.toIPv4Address().toString() : ipv6.parts.slice(0, 4).join(':');
}

/** The key of that day. If it could not be made in time, because the store is down over midnight, the latest before. */
function keyOfDay(keys: Map<number, string>, day: number): string {
  const key =
    keys.get(day) ?? keys.get(Math.max(...[...keys.keys()].filter((known) => known <= day), Math.min(...keys.keys())));
  return key as string;
}

/** Makes the keys of today and tomorrow if nobody has, deletes old ones, and gives all by their UTC day number. */
async function refreshKeys(): Promise<Map<number, string>> {
  const today = Math.floor(clock.now() / DAY_MS);
  const rows = await readKeys();
  const missing = [today, today + 1].filter((day) => !rows.has(day));
  const hasOld = [...rows.keys()].some((day) => day <= today - DAYS_KEPT);
  if (missing.length === 0 && !hasOld) return rows;
  await inTransaction(async (transaction) => {
    for (const day of missing) {
      await database().query('INSERT INTO visitor_keys (day, key) VALUES (:day, :key) ON CONFLICT (day) DO NOTHING', {
        replacements: { day: dateOf(day), key: seal(randomToken(32)) },
        transaction,
      });
    }
    await database().query('DELETE FROM visitor_keys WHERE day <= :last', {
      replacements: { last: dateOf(today - DAYS_KEPT) },
      transaction,
    });
  });
  return readKeys();
}

async function readKeys(): Promise<Map<number, string>> {
  const rows = await select<{ day: string; key: string }>('SELECT day, key FROM visitor_keys');
  return new Map(rows.map(({ day, key }) => [Date.parse(day) / DAY_MS, unseal(key)]));
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
