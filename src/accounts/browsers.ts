import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { macKey, macKeys, sha256 } from '../kernel/secrets.ts';
import type { User } from '../models/User.ts';
import { type Platform, parseAgent } from '../routing/agent.ts';

const PURPOSE = 'known browsers';
/** A browser with more accounts is known to those that were used last. */
const MAX_ACCOUNTS = 5;
/** The entry of one sign-in in the cookie: its time, and a MAC of its account. */
const ENTRY = /^([0-9a-z]{1,10})-([\w-]{43})$/;

const PLATFORM_NAMES: Record<Platform, string | null> = {
  ios: 'iOS',
  android: 'Android',
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
  other: null,
};

/** A User-Agent header in a few words, such as `Firefox on Windows`; null when it names neither browser nor platform. */
export function describeAgent(header: string | undefined): string | null {
  const { browser, platform } = parseAgent(header);
  return [browser, PLATFORM_NAMES[platform]].filter(Boolean).join(' on ') || null;
}

/**
 * The cookie entry that proves that this browser signed in to the account before; null without one. The cookie names no
 * account: it can only be checked against a given one. A new password makes every browser unknown, so that an intruder who
 * used the old one has no more guesses than a stranger.
 */
export function knownBrowser(cookie: string | undefined, user: User): string | null {
  return entriesOf(cookie).find((entry) => macKeys(PURPOSE).some((key) => isOf(user, entry, key))) ?? null;
}

/** The new cookie of a browser that has just signed in to the account; `cookie` is the one that it sent. */
export function rememberBrowser(cookie: string | undefined, user: User): string {
  const others = entriesOf(cookie).filter((entry) => !macKeys(PURPOSE).some((key) => isOf(user, entry, key)));
  const since = clock.now().toString(36);
  const entry = `${since}-${macOf(user, since, macKey(PURPOSE)).toString('base64url')}`;
  return [entry, ...others].slice(0, MAX_ACCOUNTS).join('.');
}

/** The entries younger than KNOWN_BROWSER_DAYS, of a cookie that may hold anything. */
function entriesOf(cookie: string | undefined): string[] {
  const oldest = clock.now() - config.knownBrowserDays * DAY_MS;
  const entries = (cookie ?? '').split('.', MAX_ACCOUNTS);
  return entries.filter((entry) => Number.parseInt(ENTRY.exec(entry)?.[1] ?? '', 36) > oldest);
}

function isOf(user: User, entry: string, key: KeyObject): boolean {
  const [, since = '', mac = ''] = ENTRY.exec(entry) ?? [];
  return timingSafeEqual(macOf(user, since, key), Buffer.from(mac, 'base64url'));
}

function macOf({ id, passwordHash }: User, since: string, key: KeyObject): Buffer {
  return createHmac('sha256', key)
    .update(`${id}\n${since}\n${sha256(passwordHash)}`)
    .digest();
}
