import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** The click that led somebody to an app, its project, and its link: it may be looked for before the click is stored. */
export interface ClickToken {
  clickId: string;
  projectId: string;
  linkId: string;
  /** Milliseconds since the epoch, whole seconds. From this moment on the token is worth nothing. */
  expiresAt: number;
}

/** What a token says, or why it says nothing. `expired` ones are genuine. */
export type Verified = ({ ok: true } & ClickToken) | { ok: false; why: 'malformed' | 'forged' | 'expired' };

/** api.md §6: as long as Google Play keeps a referrer. */
export const CLICK_TOKEN_SECONDS = 90 * 86_400;

/** Half of SHA-256: 128 bits, in base64url. */
const MAC_BYTES = 16;

/** When the click of a token was, in milliseconds since the epoch: to the second. */
export function clickedAtOf({ expiresAt }: Pick<ClickToken, 'expiresAt'>): number {
  return expiresAt - CLICK_TOKEN_SECONDS * 1000;
}

/** What stands behind the prefix of an id. */
const ID = '[0-9a-hjkmnp-tv-z]{26}';
const FORM = new RegExp(`^1\\.(${ID})\\.(${ID})\\.(${ID})\\.([0-9a-z]{6,7})\\.[A-Za-z0-9_-]{22}$`);

/**
 * `1.<click>.<project>.<link>.<expiry>.<mac>`: ids without their prefixes, the expiry in seconds in base 36. It has
 * some 112 characters, all of which stand for themselves in a URL.
 */
export function signClickToken({ clickId, projectId, linkId, expiresAt }: ClickToken, key: KeyObject | Buffer): string {
  const expiry = Math.floor(expiresAt / 1000).toString(36);
  const claims = `1.${bare(clickId)}.${bare(projectId)}.${bare(linkId)}.${expiry}`;
  return `${claims}.${macOf(claims, key)}`;
}

/** `keys`: those that tokens may have been signed with. Never throws, whatever the text. */
export function verifyClickToken(token: string, keys: readonly (KeyObject | Buffer)[], nowMs: number): Verified {
  const [, click, project, link, expiry] = FORM.exec(token) ?? [];
  if (!click || !project || !link || !expiry) return { ok: false, why: 'malformed' };
  if (!keys.some((key) => isSignedBy(token, key))) return { ok: false, why: 'forged' };
  const expiresAt = Number.parseInt(expiry, 36) * 1000;
  if (nowMs >= expiresAt) return { ok: false, why: 'expired' };
  return { ok: true, clickId: `clk_${click}`, projectId: `prj_${project}`, linkId: `lnk_${link}`, expiresAt };
}

/** The text is compared, not the bytes that it stands for: of those there are sixteen spellings. */
function isSignedBy(token: string, key: KeyObject | Buffer): boolean {
  const end = token.lastIndexOf('.');
  const expected = Buffer.from(macOf(token.slice(0, end), key));
  const given = Buffer.from(token.slice(end + 1));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function macOf(claims: string, key: KeyObject | Buffer): string {
  return createHmac('sha256', key).update(claims).digest().subarray(0, MAC_BYTES).toString('base64url');
}

function bare(id: string): string {
  return id.slice(4);
}
