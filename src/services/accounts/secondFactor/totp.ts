import { Secret, TOTP } from 'otpauth';
import { clock } from '../../../kernel/clock.ts';
import { baseHost } from '../../../kernel/origins.ts';

const PERIOD_SECONDS = 30;
/** Steps that a phone's clock may be off, before and after. */
const WINDOW = 1;

/** A new secret for an authenticator app, in base32; 160 bits, as RFC 4226 recommends. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** What authenticator apps read from a QR code. */
export function totpUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/**
 * The time step that a code belongs to, if it is right now and later than the last one that was used: each is good once.
 * A last step that is still to come was written before the clock was set back, and hinders nobody.
 */
export function stepOfCode(secret: string, code: string, lastStep: number): number | null {
  const delta = totpOf(secret, '').validate({ token: code, timestamp: clock.now(), window: WINDOW });
  if (delta === null) return null;
  const present = Math.floor(clock.now() / 1000 / PERIOD_SECONDS);
  const step = present + delta;
  return step > lastStep || lastStep > present + WINDOW ? step : null;
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({ issuer: baseHost(), label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });
}
