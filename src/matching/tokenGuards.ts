import { TOKEN_PARAMETER } from '../routing/appUrls.ts';
import { clickedAtOf, type Verified } from './clickToken.ts';

/** Where a token was found, the surest first. */
export type TokenSource = 'link' | 'referrer' | 'clipboard';

/** Why a token is worth nothing; told in `factors`. */
export type TokenProblem =
  | 'token_malformed'
  | 'token_forged'
  | 'token_expired'
  | 'token_foreign'
  | 'token_used'
  | 'install_before_click'
  | 'link_gone'
  | 'link_flagged';

export type Judged =
  | { ok: true; clickId: string; linkId: string; clickedAt: number }
  | { ok: false; problem: TokenProblem };

/** What else the device knows that a token must agree with. */
export interface Circumstances {
  projectId: string;
  /** Milliseconds since the epoch, of Google Play; null: not told. */
  installBeginAt: number | null;
  referrerClickAt: number | null;
}

const PARAMETER = new RegExp(`(?:^|[?&#;\\s]|%26|%3F)${TOKEN_PARAMETER}(?:=|%3D)([^&#%\\s]*)`, 'i');

/** The token in a URL, a referrer or whatever was in the clipboard, also where it was encoded once more; null without one. */
export function tokenIn(text: string | null | undefined): string | null {
  return PARAMETER.exec(text ?? '')?.[1] ?? null;
}

/** Whether a token holds for an opening of an app, as far as it and the device tell; whether it was used the store knows. */
export function judgeToken(verified: Verified, circumstances: Circumstances): Judged {
  if (!verified.ok) return { ok: false, problem: `token_${verified.why}` };
  if (verified.projectId !== circumstances.projectId) return { ok: false, problem: 'token_foreign' };
  const clickedAt = clickedAtOf(verified);
  if (isBeforeClick(clickedAt, circumstances)) return { ok: false, problem: 'install_before_click' };
  return { ok: true, clickId: verified.clickId, linkId: verified.linkId, clickedAt };
}

/**
 * Google Play tells two times of a device's clock and two of its own, and apps send either, or one of each. Clocks that
 * are not kept in step may differ by five minutes in Kerberos too (RFC 4120): what contradicts by more is no clock's fault.
 */
const CLOCKS_DIFFER_MS = 300_000;

/** An app that was being installed already when somebody clicked: the click was slipped in to claim the install. */
function isBeforeClick(clickedAt: number, { installBeginAt, referrerClickAt }: Circumstances): boolean {
  if (installBeginAt === null || installBeginAt <= 0) return false;
  return installBeginAt + CLOCKS_DIFFER_MS < Math.max(clickedAt, referrerClickAt ?? 0);
}
