import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { clock } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { macKey, macKeys } from '../../kernel/secrets.ts';
import type { RedirectLink } from '../loadLink.ts';

const PURPOSE = 'passed passwords of links';

/**
 * The cookie of a visitor who gave the password: `<second it ends, base 36>.<MAC>`. It is good for this link and this
 * password alone: whoever changes the password asks everybody again. Browsers send it to the link's own path and below.
 */
export function passCookie(link: RedirectLink): string {
  const endsAt = Math.floor(clock.now() / 1000) + config.passwordSessionSeconds;
  const value = `${endsAt.toString(36)}.${macOf(macKey(PURPOSE), link, endsAt).toString('base64url')}`;
  // Link domains are reached by the scheme of BASE_URL.
  const secure = config.baseUrl.startsWith('https:') ? '; Secure' : '';
  const attributes = `Path=/${link.slug}; Max-Age=${config.passwordSessionSeconds}; HttpOnly; SameSite=Lax${secure}`;
  return `${cookieName(link)}=${value}; ${attributes}`;
}

/** Whether a Cookie header holds a pass for the link that is still good. */
export function holdsPass(cookies: string | undefined, link: RedirectLink): boolean {
  if (!cookies) return false;
  const prefix = `${cookieName(link)}=`;
  return cookies.split(/; */).some((cookie) => cookie.startsWith(prefix) && isGood(cookie.slice(prefix.length), link));
}

/** The link's id in the name: below one path there may be links whose path goes on. */
function cookieName(link: RedirectLink): string {
  return `svc_${link.id}`;
}

function isGood(value: string, link: RedirectLink): boolean {
  const [end = '', given = ''] = value.split('.');
  const endsAt = Number.parseInt(end, 36);
  if (!(clock.now() < endsAt * 1000)) return false;
  const mac = Buffer.from(given, 'base64url');
  return macKeys(PURPOSE).some((key) => {
    const expected = macOf(key, link, endsAt);
    return mac.length === expected.length && timingSafeEqual(mac, expected);
  });
}

function macOf(key: KeyObject, { id, passwordHash }: RedirectLink, endsAt: number): Buffer {
  return createHmac('sha256', key).update(`${id} ${endsAt} ${passwordHash}`).digest();
}
