import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { macKey, macKeys } from '../kernel/secrets.ts';
import { TOKEN_PARAMETER } from '../routing/appUrls.ts';

/** The content of a token. It names project and link too, because the click may not be stored yet when it is checked. */
export interface ClickToken {
  clickId: string;
  projectId: string;
  linkId: string;
  /** Stands for the password that the visitor entered; null where the link had none. See `passOf`. */
  pass: string | null;
  /** Milliseconds since the epoch, in whole seconds. The token is invalid from this moment on. */
  expiresAt: number;
}

/** A verified token, or why it is refused. `expired` tokens are genuine. */
export type VerifiedToken = ({ ok: true } & ClickToken) | { ok: false; why: 'malformed' | 'forged' | 'expired' };

/** As long as Google Play keeps a referrer (api.md §6). */
export const CLICK_TOKEN_SECONDS = 90 * 86_400;

/** Half of SHA-256: 128 bits, in base64url. */
const MAC_BYTES = 16;

/** The time of a token's click, in milliseconds since the epoch, exact to the second. */
export function clickedAtOf({ expiresAt }: Pick<ClickToken, 'expiresAt'>): number {
  return expiresAt - CLICK_TOKEN_SECONDS * 1000;
}

/** An id without its prefix. */
const ID = '[0-9a-hjkmnp-tv-z]{26}';
const FORM = new RegExp(`^1\\.(${ID})\\.(${ID})\\.(${ID})\\.([0-9a-z]{6,7})(?:\\.([\\w-]{8}))?\\.[\\w-]{22}$`);

/**
 * Returns `1.<click>.<project>.<link>.<expiry>[.<pass>].<mac>`: ids without their prefixes, and the expiry in seconds in base
 * 36. It has about 112 characters, or 121 for a link with a password, none of which need encoding in a URL.
 */
export function signClickToken(token: ClickToken, key: KeyObject | Buffer): string {
  const { clickId, projectId, linkId, pass, expiresAt } = token;
  const expiry = Math.floor(expiresAt / 1000).toString(36);
  const claims = `1.${bare(clickId)}.${bare(projectId)}.${bare(linkId)}.${expiry}${pass === null ? '' : `.${pass}`}`;
  return `${claims}.${macOf(claims, key)}`;
}

/** Checks form, signature (by any of the `keys`) and expiry. Never throws. */
export function verifyClickToken(token: string, keys: readonly (KeyObject | Buffer)[], nowMs: number): VerifiedToken {
  const [, click, project, link, expiry, pass = null] = FORM.exec(token) ?? [];
  if (!click || !project || !link || !expiry) return { ok: false, why: 'malformed' };
  if (!keys.some((key) => isSignedBy(token, key))) return { ok: false, why: 'forged' };
  const expiresAt = Number.parseInt(expiry, 36) * 1000;
  if (nowMs >= expiresAt) return { ok: false, why: 'expired' };
  return { ok: true, clickId: `clk_${click}`, projectId: `prj_${project}`, linkId: `lnk_${link}`, pass, expiresAt };
}

/** Compares the base64url text, not its bytes: sixteen spellings decode to the same bytes. */
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

const PURPOSE = 'click token';

/** A click that gets a token, and the password of its link, which the visitor has entered. */
interface CountedClick extends Omit<ClickToken, 'expiresAt' | 'pass'> {
  passwordHash?: string | null;
}

/** A token of this installation for a click at `clickedAt` (milliseconds since the epoch). */
export function issueClickToken({ passwordHash = null, ...click }: CountedClick, clickedAt: number): string {
  const pass = passwordHash === null ? null : passOf(passwordHash, macKey(PASS_PURPOSE));
  return signClickToken({ ...click, pass, expiresAt: clickedAt + CLICK_TOKEN_SECONDS * 1000 }, macKey(PURPOSE));
}

const PASS_PURPOSE = 'passwords in click tokens';

/** Six bytes that follow from the hash of a password: a new password makes others. */
function passOf(passwordHash: string, key: KeyObject): string {
  return createHmac('sha256', key).update(passwordHash).digest().subarray(0, 6).toString('base64url');
}

/** Whether the visitor of a token would still be let through: the link has no password, or the one that was entered then. */
export function passes({ pass }: Pick<ClickToken, 'pass'>, passwordHash: string | null): boolean {
  if (passwordHash === null) return true;
  return macKeys(PASS_PURPOSE).some((key) => pass === passOf(passwordHash, key));
}

/** How long after a click its visitor may still come back from the app page or a store although the link has ended. */
export const RETURN_MS = 3_600_000;

/** Verifies a token of this installation. Tokens signed before the last change of SECRET_KEY are valid too. */
export function readClickToken(token: string, nowMs: number): VerifiedToken {
  return verifyClickToken(token, macKeys(PURPOSE), nowMs);
}

/** Where a token was found, the most reliable source first. */
export type TokenSource = 'link' | 'referrer' | 'clipboard';

/** Why a token is refused, as it stands in `factors`. */
export type TokenProblem =
  | 'token_malformed'
  | 'token_forged'
  | 'token_expired'
  | 'token_foreign'
  | 'token_used'
  | 'install_before_click'
  | 'link_gone'
  | 'link_flagged';

export type TokenCheck =
  | { ok: true; clickId: string; linkId: string; pass: string | null; clickedAt: number }
  | { ok: false; problem: TokenProblem };

/** What the device reports that a token must agree with. */
export interface TokenContext {
  projectId: string;
  /** Milliseconds since the epoch, from Google Play; null if it was not reported. */
  installBeginAt: number | null;
  referrerClickAt: number | null;
}

const PARAMETER = new RegExp(`(?:^|[?&#;\\s]|%26|%3F)${TOKEN_PARAMETER}(?:=|%3D)([^&#%\\s]*)`, 'i');

/** Finds the token in a URL, a referrer or a clipboard text, also if it was encoded a second time; null if there is none. */
export function tokenIn(text: string | null | undefined): string | null {
  return PARAMETER.exec(text ?? '')?.[1] ?? null;
}

/** Checks a token against the opening that presents it. Whether it has been used is checked later, in the store. */
export function checkToken(verified: VerifiedToken, context: TokenContext): TokenCheck {
  if (!verified.ok) return { ok: false, problem: `token_${verified.why}` };
  if (verified.projectId !== context.projectId) return { ok: false, problem: 'token_foreign' };
  const clickedAt = clickedAtOf(verified);
  if (isBeforeClick(clickedAt, context)) return { ok: false, problem: 'install_before_click' };
  return { ok: true, clickId: verified.clickId, linkId: verified.linkId, pass: verified.pass, clickedAt };
}

/**
 * Google Play reports each time by the device's clock and by its server's, and apps send either. Five minutes is what
 * Kerberos tolerates between clocks (RFC 4120); a larger contradiction is not caused by clocks.
 */
const CLOCKS_DIFFER_MS = 300_000;

/** The app was being installed before the click, so the click was injected to claim the install. */
function isBeforeClick(clickedAt: number, { installBeginAt, referrerClickAt }: TokenContext): boolean {
  if (installBeginAt === null || installBeginAt <= 0) return false;
  return installBeginAt + CLOCKS_DIFFER_MS < Math.max(clickedAt, referrerClickAt ?? 0);
}
