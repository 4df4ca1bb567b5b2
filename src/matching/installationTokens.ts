import { macKey, macKeys } from '../kernel/secrets.ts';
import { CLICK_TOKEN_SECONDS, type ClickToken, signClickToken, type Verified, verifyClickToken } from './clickToken.ts';

const PURPOSE = 'click token';

/** A token of this installation for a click of that moment (milliseconds). */
export function issueClickToken(click: Omit<ClickToken, 'expiresAt'>, clickedAt: number): string {
  return signClickToken({ ...click, expiresAt: clickedAt + CLICK_TOKEN_SECONDS * 1000 }, macKey(PURPOSE));
}

/** What a token of this installation says; one signed before the last change of SECRET_KEY holds too. */
export function readClickToken(token: string, nowMs: number): Verified {
  return verifyClickToken(token, macKeys(PURPOSE), nowMs);
}
