import { createHmac, timingSafeEqual } from 'node:crypto';
import { config } from '../../kernel/config.ts';
import { OWN_PATHS } from '../../kernel/origins.ts';
import { macKey, macKeys } from '../../kernel/secrets.ts';
import { MAX_URL_BYTES } from '../../kernel/urls.ts';
import type { Forwarded } from '../../routing/appUrls.ts';

/** What the visitor brought to the link: the raw query without a token of ours, and the raw path after the slug. */
export type Brought = Forwarded;

const NOTHING: Brought = { query: '', path: '' };
const PURPOSE = 'what a visitor brought to the app page';
const MAC_BYTES = 16;

/**
 * The page's address for a click. What the visitor brought stands in it behind a signature, because the page is on another
 * host than the link and takes nothing from its address that this installation has not written. Left out if it is too long.
 */
export function appPageUrl(token: string, brought: Brought): string {
  const bare = `${config.baseUrl}${OWN_PATHS.openApp}?t=${token}`;
  if (brought.query === '' && brought.path === '') return bare;
  const payload = Buffer.from(JSON.stringify([brought.query, brought.path])).toString('base64url');
  const whole = `${bare}&b=${payload}.${macOf(payload, token, macKey(PURPOSE)).toString('base64url')}`;
  return whole.length <= MAX_URL_BYTES ? whole : bare;
}

/** What the parameter `b` of the page's address holds; nothing unless it was signed here, and for this token. */
export function readBrought(parameter: string | undefined, token: string): Brought {
  const [payload = '', mac = ''] = (parameter ?? '').split('.');
  const given = Buffer.from(mac, 'base64url');
  const isOurs = macKeys(PURPOSE).some((key) => {
    const expected = macOf(payload, token, key);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isOurs) return NOTHING;
  const [query, path] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [string, string];
  return { query, path };
}

function macOf(payload: string, token: string, key: ReturnType<typeof macKey>): Buffer {
  return createHmac('sha256', key).update(`${token} ${payload}`).digest().subarray(0, MAC_BYTES);
}
