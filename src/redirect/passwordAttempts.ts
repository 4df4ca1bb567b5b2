import { isIPv6 } from 'node:net';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { type AttemptCounter, attemptCounter } from '../../access/quotas/counters.ts';
import { addressSubject } from '../../access/quotas/quotas.ts';
import { database } from '../../db/database.ts';
import { config } from '../../kernel/config.ts';

/** Wrong passwords for one link from an IPv6 network of 48 bits, which one customer may have, as a multiple of those from one address. */
const NETWORK_SHARE = 3;

interface Counters {
  byVisitor: AttemptCounter;
  byNetwork: AttemptCounter;
  byLink: AttemptCounter;
}

/** By the store that is open: a product that starts after another in one process counts anew, by its own settings. */
const opened = new WeakMap<object, Counters>();

/**
 * Counts an attempt before its password is looked at, so that guesses which are sent all at once are counted as well; a
 * right one is given back. Gives the seconds to wait when there were too many, else null.
 */
export async function takeAttempt(linkId: string, address: string): Promise<number | null> {
  const { byVisitor, byNetwork, byLink } = counters();
  try {
    // In turn: attempts of a visitor who has to wait do not use up those of others.
    await byVisitor.consume(visitorKey(linkId, address));
    if (isIPv6(address)) await byNetwork.consume(networkKey(linkId, address));
    await byLink.consume(linkId);
    return null;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  }
}

/** The attempt was no wrong one. */
export async function giveBackAttempt(linkId: string, address: string): Promise<void> {
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
  // Whoever goes on regardless is refused without asking the store.
  return attemptCounter({ ...options, inMemoryBlockOnConsumed: 2 * points });
}

function visitorKey(linkId: string, address: string): string {
  return `${linkId} ${addressSubject(address)}`;
}

function networkKey(linkId: string, address: string): string {
  return `${linkId} ${addressSubject(address, 48)}`;
}
