import { createHmac } from 'node:crypto';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { type AttemptCounter, attemptCounter } from '../../access/quotas/counters.ts';
import { addressSubject } from '../../access/quotas/quotas.ts';
import { database } from '../../db/database.ts';
import { config } from '../../kernel/config.ts';
import { CodedError } from '../../kernel/errors.ts';
import { macKey } from '../../kernel/secrets.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/** Colleagues behind one address may all have forgotten their passwords. */
const RESETS_FROM_ONE_ADDRESS = 5;

/** An IPv6 network of 48 bits, as a multiple of what one address may try. */
const NETWORK_SHARE = 3;

/** What can be tried too often: how often, and within how long. */
const LIMITS = {
  // Of many accounts from one address: an office may be behind it, and so may whoever tries leaked passwords.
  signInAddress: () => ({
    points: Math.max(config.signInAddressAttempts, config.signInAttempts),
    duration: config.signInPauseSeconds,
  }),
  // One customer may have an IPv6 network of 48 bits, which is 65,536 addresses of those.
  signInNetwork: () => ({
    points: NETWORK_SHARE * Math.max(config.signInAddressAttempts, config.signInAttempts),
    duration: config.signInPauseSeconds,
  }),
  signInFrom: () => ({ points: config.signInAttempts, duration: config.signInPauseSeconds }),
  signInAccount: () => ({ points: config.signInAccountAttempts, duration: HOUR_SECONDS }),
  // In place of the one before, for a browser that signed in to the account before: strangers cannot use it up.
  signInBrowser: () => ({ points: config.signInAccountAttempts, duration: HOUR_SECONDS }),
  provePassword: () => ({ points: config.signInAttempts, duration: config.signInPauseSeconds }),
  // How much of it is noted and mailed: whoever guesses must fill neither the audit log nor a mailbox.
  signInsNoted: () => ({ points: 60, duration: HOUR_SECONDS }),
  failuresNotedFrom: () => ({ points: 1, duration: config.signInPauseSeconds }),
  failuresNoted: () => ({ points: 10, duration: HOUR_SECONDS }),
  locksNoted: () => ({ points: 1, duration: HOUR_SECONDS }),
  newBrowserMails: () => ({ points: 5, duration: DAY_SECONDS }),
  // Whoever guesses these knows the password: of a million codes three are right at a time.
  secondFactor: () => ({ points: config.secondFactorAttempts, duration: DAY_SECONDS }),
  signUpAddress: () => ({ points: config.signUpsPerHour, duration: HOUR_SECONDS }),
  resetAddress: () => ({
    points: config.passwordResetsPerHour * RESETS_FROM_ONE_ADDRESS,
    duration: HOUR_SECONDS,
  }),
  confirmationMails: () => ({ points: config.emailConfirmationsPerHour, duration: HOUR_SECONDS }),
  resetEmail: () => ({ points: config.passwordResetsPerHour, duration: HOUR_SECONDS }),
};

type Limit = keyof typeof LIMITS;
/** Which limit, and whom it counts. */
export type Attempt = [limit: Limit, subject: string];

/** By the store that is open: a product that starts after another in one process counts anew, by its own settings. */
const opened = new WeakMap<object, Map<Limit, AttemptCounter>>();

/**
 * Counts attempts before they are looked at, so that guesses which are sent all at once are counted as well. Throws
 * `rate_limited` when there were too many.
 */
export async function takeAttempts(...attempts: Attempt[]): Promise<void> {
  try {
    // In turn: attempts of an address that has to wait do not use up those of an account.
    for (const [limit, subject] of attempts) await counterOf(limit).consume(keyOf(limit, subject));
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    const message = `Too many attempts. Try again in ${retryAfterSeconds} seconds.`;
    throw new CodedError('rate_limited', message, { retryAfterSeconds });
  }
}

/** Counts something that is done only so often, and gives whether it still is. */
export async function isWithinLimits(...attempts: Attempt[]): Promise<boolean> {
  try {
    await takeAttempts(...attempts);
    return true;
  } catch (error) {
    if (error instanceof CodedError && error.code === 'rate_limited') return false;
    throw error;
  }
}

/** Somebody who tries an account from an address. */
export function accountFrom(email: string, address: string): string {
  return `${email}\n${addressSubject(address)}`;
}

/** The attempts were right ones. Others before them stay counted: a success must not make room for more guesses. */
export async function giveBackAttempts(...attempts: Attempt[]): Promise<void> {
  await Promise.all(attempts.map(([limit, subject]) => counterOf(limit).reward(keyOf(limit, subject))));
}

/** Counts anew, for whoever has shown by other means who they are. */
export async function forgetAttempts(...attempts: Attempt[]): Promise<void> {
  await Promise.all(attempts.map(([limit, subject]) => counterOf(limit).delete(keyOf(limit, subject))));
}

function counterOf(limit: Limit): AttemptCounter {
  const counters = opened.get(database()) ?? new Map<Limit, AttemptCounter>();
  opened.set(database(), counters);
  const counter = counters.get(limit) ?? attemptCounter({ keyPrefix: limit, ...LIMITS[limit]() });
  counters.set(limit, counter);
  return counter;
}

/** Counts are kept in the store, addresses and e-mails of whoever tries are not. */
function keyOf(limit: Limit, subject: string): string {
  if (limit.endsWith('Address')) return addressSubject(subject);
  if (limit.endsWith('Network')) return addressSubject(subject, 48);
  return createHmac('sha256', macKey('accounts that are counted')).update(subject).digest('base64url').slice(0, 22);
}
