import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { config } from '../../kernel/config.ts';
import { CodedError } from '../../kernel/errors.ts';
import { log } from '../../kernel/log.ts';
import { metrics } from '../../kernel/metrics.ts';
import { macKey } from '../../kernel/secrets.ts';
import type { Principal } from '../principal.ts';
import { createDayLimiter } from './dayLimiter.ts';
import { createLimiter, type Limiter, type Taken } from './limiter.ts';

interface Quota {
  limit: () => number;
  /** What it counts. */
  of: 'requests' | 'links in bulk calls' | 'events' | 'new installs';
  /** A window of RATE_LIMIT_WINDOW_SECONDS, or the UTC day. */
  per: 'window' | 'day';
}

/** Every quota with the setting that says how much it lets through. */
const QUOTAS = {
  secretKey: requests(() => config.rateLimitPerMinute),
  publishableKey: requests(() => config.rateLimitPublishablePerMinute),
  publishableKeyAddress: requests(() => config.rateLimitPublishableAddressPerMinute),
  install: requests(() => config.rateLimitInstallPerMinute),
  address: requests(() => config.rateLimitAddressPerMinute),
  session: requests(() => config.rateLimitSessionPerMinute),
  rows: { limit: () => config.rateLimitRowsPerMinute, of: 'links in bulk calls', per: 'window' },
  keyEvents: { limit: () => config.rateLimitEventsPerMinute, of: 'events', per: 'window' },
  keyAddressEvents: { limit: () => config.rateLimitAddressEventsPerMinute, of: 'events', per: 'window' },
  projectEvents: { limit: () => config.sdkEventsPerDay, of: 'events', per: 'day' },
  projectInstalls: { limit: () => config.sdkInstallsPerDay, of: 'new installs', per: 'day' },
  addressInstalls: { limit: () => installsOfAddress(config.sdkInstallsPerDay), of: 'new installs', per: 'day' },
} as const satisfies Record<string, Quota>;

function requests(limit: () => number) {
  return { limit, of: 'requests', per: 'window' } as const;
}

/** No address makes up all the installs that a project may get in a day; so many may share one, though. */
function installsOfAddress(ofProject: number): number {
  return Math.max(1000, Math.floor(ofProject / 5));
}

export type QuotaName = keyof typeof QUOTAS;

/** One to take from: whose it is, and how many points. */
export type Take = [name: QuotaName, subject: string, points?: number];

/** What the RateLimit headers say. */
export interface QuotaState extends Pick<Quota, 'of' | 'per'> {
  name: QuotaName;
  limit: number;
  remaining: number;
  /** Whole seconds, rounded up, until the window ends. */
  resetSeconds: number;
  isExceeded: boolean;
}

const limiters = new Map<QuotaName, Limiter>();

/**
 * Takes from these quotas in their order, until one is used up: whoever is refused by the narrower one, which comes
 * first, uses up nothing of what they share with others. Gives the states of those that were asked; none when the
 * limiter is down, which lets traffic pass.
 */
export async function takeFromQuotas(quotas: readonly Take[]): Promise<QuotaState[]> {
  const states: QuotaState[] = [];
  try {
    for (const [name, subject, points = 1] of quotas) {
      const state = stateOf(name, await limiterOf(name).take(subject, points));
      states.push(state);
      if (state.isExceeded) break;
    }
  } catch (error) {
    metrics.rateLimiterFailures.inc();
    log.warn({ err: error }, 'the rate limiter is down: requests pass uncounted');
  }
  return states;
}

/**
 * Takes the links that a bulk call names from the quota of whoever asks: a thousand of them are a thousand times the work,
 * and the disk, of one. Throws `rate_limited`.
 */
export async function takeRows(principal: Principal, rows: number): Promise<void> {
  if (principal.kind === 'nobody') return;
  const subject = principal.kind === 'key' ? principal.keyId : principal.tokenHash;
  const [state] = await takeFromQuotas([['rows', subject, rows]]);
  if (state?.isExceeded) throw tooManyRequests(state);
}

/** What tells a client of the quota that is nearest to empty. */
export function quotaHeaders({ limit, remaining, resetSeconds }: QuotaState): Record<string, string> {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
  };
}

/** What is answered when a quota is used up. */
export function tooManyRequests({ limit, of, per, resetSeconds }: QuotaState): CodedError {
  const span = per === 'day' ? 'today (UTC)' : 'in this window';
  return new CodedError('rate_limited', `More than ${limit} ${of} ${span}. Try again in ${resetSeconds} seconds.`, {
    retryAfterSeconds: resetSeconds,
  });
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
 * is one client, which could use any address in it; a provider hands out up to 48 bits to one customer.
 */
export function addressSubject(address: string, bits: 64 | 48 = 64): string {
  const client = isIPv6(address)
    ? ipaddr.IPv6.networkAddressFromCIDR(`${address.split('%')[0]}/${bits}`).toString()
    : address;
  return countedSubject(client);
}

/** Whatever must not stand in the store as it is, as a keyed hash to count it by. */
export function countedSubject(text: string): string {
  return createHmac('sha256', macKey('clients that are counted')).update(text).digest('base64url').slice(0, 22);
}

function limiterOf(name: QuotaName): Limiter {
  const known = limiters.get(name);
  if (known) return known;
  const { limit, per } = QUOTAS[name];
  const made =
    per === 'day' ? createDayLimiter(name, limit()) : createLimiter(name, limit(), config.rateLimitWindowSeconds);
  limiters.set(name, made);
  return made;
}

function stateOf(name: QuotaName, { taken, msToReset, isRefused }: Taken): QuotaState {
  const { of, per } = QUOTAS[name];
  const limit = QUOTAS[name].limit();
  return {
    ...{ name, of, per, limit },
    remaining: Math.max(0, limit - taken),
    resetSeconds: Math.max(1, Math.ceil(msToReset / 1000)),
    isExceeded: isRefused,
  };
}

function isNearer(state: QuotaState, other: QuotaState): boolean {
  if (state.isExceeded !== other.isExceeded) return state.isExceeded;
  return state.isExceeded ? state.resetSeconds > other.resetSeconds : state.remaining < other.remaining;
}
