import { isIPv6 } from 'node:net';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { type AttemptCounter, attemptCounter } from '../access/counters.ts';
import { addressSubject } from '../access/quotas.ts';
import { database } from '../db/connection/database.ts';
import { config } from '../kernel/config.ts';

/** Attempts from an IPv6 /48, which one customer may own, as a multiple of those from one address. */
const NETWORK_SHARE = 3;

interface Counters {
  byVisitor: AttemptCounter;
  byNetwork: AttemptCounter;
  byLink: AttemptCounter;
}

/** By open store: another product in the same process counts for itself, with its own settings. */
const opened = new WeakMap<object, Counters>();

/**
 * Counts an attempt. Call it before the password is checked, so that concurrent guesses count too; refund a correct one.
 * Returns the seconds to wait if there were too many attempts, else null.
 */
export async function consumeAttempt(linkId: string, address: string): Promise<number | null> {
  const { byVisitor, byNetwork, byLink } = counters();
  try {
    // One after the other: attempts of a visitor who has to wait must not use up the limits of others.
    await byVisitor.consume(visitorKey(linkId, address));
    if (isIPv6(address)) await byNetwork.consume(networkKey(linkId, address));
    await byLink.consume(linkId);
    return null;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  }
}

/** Undoes `consumeAttempt` after a correct password, or one that could not be checked. */
export async function refundAttempt(linkId: string, address: string): Promise<void> {
  const { byVisitor, byNetwork, byLink } = counters();
  await Promise.all([
    byVisitor.reward(visitorKey(linkId, address)),
    ...(isIPv6(address) ? [byNetwork.reward(networkKey(linkId, address))] : []),
    byLink.reward(linkId),
  ]);
}

function counters(): Counters {
  const known = opened.get(database());
  if (known) return known;
  const { passwordAttempts, passwordAttemptsFromAll } = config;
  const made = {
    byVisitor: counter('link_password', passwordAttempts),
    byNetwork: counter('link_password_network', passwordAttempts * NETWORK_SHARE),
    byLink: counter('link_passwords', passwordAttemptsFromAll),
  };
  opened.set(database(), made);
  return made;
}

function counter(keyPrefix: string, points: number): AttemptCounter {
  const options = { keyPrefix, points, duration: config.passwordPauseSeconds };
  // Beyond this, further attempts are refused without querying the store.
  return attemptCounter({ ...options, inMemoryBlockOnConsumed: 2 * points });
}

function visitorKey(linkId: string, address: string): string {
  return `${linkId} ${addressSubject(address)}`;
}

function networkKey(linkId: string, address: string): string {
  return `${linkId} ${addressSubject(address, 48)}`;
}
