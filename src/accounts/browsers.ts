import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { clock } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { DAY_MS } from '../../kernel/durations.ts';
import { macKey, macKeys, sha256 } from '../../kernel/secrets.ts';
import type { User } from '../../models/User.ts';

const PURPOSE = 'known browsers';
/** People with more accounts in one browser are known in those that they used last. */
const MOST_ACCOUNTS = 5;
/** What one sign-in leaves in the cookie: when it was, and a MAC of whose it was. */
const ENTRY = /^([0-9a-z]{1,10})-([\w-]{43})$/;

/**
 * The entry of a cookie that shows that this browser signed in to the account before; null when there is none. The
 * cookie names no account: only who asks about one learns whether it is in it. A new password makes all browsers
 * unknown, so that whoever got in with the old one has no more guesses than anybody.
 */
export function knownBrowser(cookie: string | undefined, user: User): string | null {
  return entriesOf(cookie).find((entry) => macKeys(PURPOSE).some((key) => isOf(user, entry, key))) ?? null;
}

/** The cookie of a browser that has just signed in to the account; `cookie`: what it sent. */
export function rememberBrowser(cookie: string | undefined, user: User): string {
  const others = entriesOf(cookie).filter((entry) => !macKeys(PURPOSE).some((key) => isOf(user, entry, key)));
  const since = clock.now().toString(36);
  const entry = `${since}-${macOf(user, since, macKey(PURPOSE)).toString('base64url')}`;
  return [entry, ...others].slice(0, MOST_ACCOUNTS).join('.');
}

/** Those that are not too old, of what anybody may have sent. */
function entriesOf(cookie: string | undefined): string[] {
  const oldest = clock.now() - config.knownBrowserDays * DAY_MS;
  const entries = (cookie ?? '').split('.', MOST_ACCOUNTS);
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
