import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { config } from '../../kernel/config.ts';
import { log } from '../../kernel/log.ts';
import { metrics } from '../../kernel/metrics.ts';
import { macKey } from '../../kernel/secrets.ts';
import { createLimiter, type Limiter, type Taken } from './limiter.ts';

/** Every quota with the setting that says how many requests it lets through in a window. */
const QUOTAS = {
  secretKey: () => config.rateLimitPerMinute,
  publishableKey: () => config.rateLimitPublishablePerMinute,
  publishableKeyAddress: () => config.rateLimitPublishableAddressPerMinute,
  install: () => config.rateLimitInstallPerMinute,
  address: () => config.rateLimitAddressPerMinute,
} as const;

export type QuotaName = keyof typeof QUOTAS;

/** What the RateLimit headers say. */
export interface QuotaState {
  limit: number;
  remaining: number;
  /** Whole seconds, rounded up, until the window ends. */
  resetSeconds: number;
  isExceeded: boolean;
}

const limiters = new Map<QuotaName, Limiter>();

/**
 * Takes one request from each of these quotas, and gives the state of the one that is nearest to empty; null when the
 * limiter is down, which lets traffic pass.
 */
export async function takeFromQuotas(quotas: [name: QuotaName, subject: string][]): Promise<QuotaState | null> {
  try {
    const states = await Promise.all(
      quotas.map(async ([name, subject]) => stateOf(QUOTAS[name](), await limiterOf(name).take(subject))),
    );
    return nearestQuota(states);
  } catch (error) {
    metrics.rateLimiterFailures.inc();
    log.warn({ err: error }, 'the rate limiter is down: requests pass uncounted');
    return null;
  }
}

/** The one that is nearest to empty; null without any. */
export function nearestQuota(states: readonly QuotaState[]): QuotaState | null {
  return states.reduce<QuotaState | null>(
    (nearest, state) => (nearest && !isNearer(state, nearest) ? nearest : state),
    null,
  );
}

/** A product starts or ends: quotas are counted anew, on the store that is open then. */
export function forgetQuotas(): void {
  for (const limiter of limiters.values()) limiter.close();
  limiters.clear();
}

/**
 * Whom an address stands for, as a keyed hash: counts are kept in the store, and no address is. An IPv6 network of 64 bits
 * is one client, which could use any address in it.
 */
export function addressSubject(address: string): string {
  const client = isIPv6(address)
    ? ipaddr.IPv6.networkAddressFromCIDR(`${address.split('%')[0]}/64`).toString()
    : address;
  return createHmac('sha256', macKey('clients that are counted')).update(client).digest('base64url').slice(0, 22);
}

function limiterOf(name: QuotaName): Limiter {
  const known = limiters.get(name);
  if (known) return known;
  const made = createLimiter(name, QUOTAS[name](), config.rateLimitWindowSeconds);
  limiters.set(name, made);
  return made;
}

function stateOf(limit: number, { taken, msToReset }: Taken): QuotaState {
  return {
    limit,
    remaining: Math.max(0, limit - taken),
    resetSeconds: Math.max(1, Math.ceil(msToReset / 1000)),
    isExceeded: taken > limit,
  };
}

function isNearer(state: QuotaState, other: QuotaState): boolean {
  if (state.isExceeded !== other.isExceeded) return state.isExceeded;
  return state.isExceeded ? state.resetSeconds > other.resetSeconds : state.remaining < other.remaining;
}
