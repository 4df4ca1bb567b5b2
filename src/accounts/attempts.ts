import { createHmac } from 'node:crypto';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { type AttemptCounter, attemptCounter } from '../access/counters.ts';
import { addressSubject } from '../access/quotas.ts';
import { database } from '../db/connection/database.ts';
import { config } from '../kernel/config.ts';
import { CodedError } from '../kernel/errors.ts';
import { macKey } from '../kernel/secrets.ts';

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/** Password resets from one address, as a multiple of those for one e-mail: colleagues may share an address. */
const RESETS_FROM_ONE_ADDRESS = 5;

/** Attempts from an IPv6 network of 48 bits, as a multiple of those from one address. */
const NETWORK_SHARE = 3;

/** Every limit on attempts: `points` within `duration` seconds. The names are keys in the store. */
const LIMITS = {
  // For all accounts together: one address may be an office, or somebody who tries leaked passwords.
  signInAddress: () => ({
    points: Math.max(config.signInAddressAttempts, config.signInAttempts),
    duration: config.signInPauseSeconds,
  }),
  // A provider may assign an IPv6 network of 48 bits to one customer, which is 65,536 of the networks counted above.
  signInNetwork: () => ({
    points: NETWORK_SHARE * Math.max(config.signInAddressAttempts, config.signInAttempts),
    duration: config.signInPauseSeconds,
  }),
  signInFrom: () => ({ points: config.signInAttempts, duration: config.signInPauseSeconds }),
  signInAccount: () => ({ points: config.signInAccountAttempts, duration: HOUR_SECONDS }),
  // Replaces signInAccount for a browser that signed in to the account before: strangers cannot use it up.
  signInBrowser: () => ({ points: config.signInAccountAttempts, duration: HOUR_SECONDS }),
  provePassword: () => ({ points: config.signInAttempts, duration: config.signInPauseSeconds }),
  // What is recorded and mailed: guessing must fill neither the audit log nor a mailbox.
  signInsNoted: () => ({ points: 60, duration: HOUR_SECONDS }),
  failuresNotedFrom: () => ({ points: 1, duration: config.signInPauseSeconds }),
  failuresNoted: () => ({ points: 10, duration: HOUR_SECONDS }),
  locksNoted: () => ({ points: 1, duration: HOUR_SECONDS }),
  newBrowserMails: () => ({ points: 5, duration: DAY_SECONDS }),
  // Guessing these needs the password; three of a million codes are valid at a time.
  secondFactor: () => ({ points: config.secondFactorAttempts, duration: DAY_SECONDS }),
  signUpAddress: () => ({ points: config.signUpsPerHour, duration: HOUR_SECONDS }),
  resetAddress: () => ({
    points: config.passwordResetsPerHour * RESETS_FROM_ONE_ADDRESS,
    duration: HOUR_SECONDS,
  }),
  confirmationMails: () => ({ points: config.emailConfirmationsPerHour, duration: HOUR_SECONDS }),
  // Each sends a mail to an address that the person gives.
  emailChanges: () => ({ points: 10, duration: HOUR_SECONDS }),
  resetEmail: () => ({ points: config.passwordResetsPerHour, duration: HOUR_SECONDS }),
};

type Limit = keyof typeof LIMITS;
/** The limit that an attempt counts against, and the subject that is counted. */
export type Attempt = [limit: Limit, subject: string];

/** By open store: a product that starts after another in one process counts from zero, with its own settings. */
const openCounters = new WeakMap<object, Map<Limit, AttemptCounter>>();

/**
 * Counts attempts before they are checked, so that guesses sent at the same time are counted too. Throws `rate_limited`
 * when there were too many.
 */
export async function countAttempts(...attempts: Attempt[]): Promise<void> {
  try {
    // One after the other: an address that has to wait does not use up the attempts of an account.
    for (const [limit, subject] of attempts) await counterOf(limit).consume(keyOf(limit, subject));
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    const message = `Too many attempts. Try again in ${retryAfterSeconds} seconds.`;
    throw new CodedError('rate_limited', message, { retryAfterSeconds });
  }
}

/** Counts an attempt and returns whether it is within its limits. */
export async function isWithinLimits(...attempts: Attempt[]): Promise<boolean> {
  try {
    await countAttempts(...attempts);
    return true;
  } catch (error) {
    if (error instanceof CodedError && error.code === 'rate_limited') return false;
    throw error;
  }
}

/** The subject for attempts at one account from one address. */
export function accountFrom(email: string, address: string): string {
  return `${email}\n${addressSubject(address)}`;
}

/** Refunds attempts that succeeded. Earlier ones stay counted: a success must not allow more guesses. */
export async function refundAttempts(...attempts: Attempt[]): Promise<void> {
  await Promise.all(attempts.map(([limit, subject]) => counterOf(limit).reward(keyOf(limit, subject))));
}

/** Resets the counts of a person who has proved in another way who they are. */
export async function resetAttempts(...attempts: Attempt[]): Promise<void> {
  await Promise.all(attempts.map(([limit, subject]) => counterOf(limit).delete(keyOf(limit, subject))));
}

function counterOf(limit: Limit): AttemptCounter {
  const counters = openCounters.get(database()) ?? new Map<Limit, AttemptCounter>();
  openCounters.set(database(), counters);
  const counter = counters.get(limit) ?? attemptCounter({ keyPrefix: limit, ...LIMITS[limit]() });
  counters.set(limit, counter);
  return counter;
}

/** A keyed hash: the store keeps counts, but neither addresses nor e-mails. */
function keyOf(limit: Limit, subject: string): string {
  if (limit.endsWith('Address')) return addressSubject(subject);
  if (limit.endsWith('Network')) return addressSubject(subject, 48);
  return createHmac('sha256', macKey('accounts that are counted')).update(subject).digest('base64url').slice(0, 22);
}
