import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { ofStore } from '../db/ofStore.ts';
import { queryRaw } from '../db/query.ts';
import { config } from '../kernel/config.ts';
import { CodedError } from '../kernel/errors.ts';
import { log } from '../kernel/log.ts';
import { metrics } from '../kernel/metrics.ts';
import { macKey } from '../kernel/secrets.ts';
import { type Consumption, createDayLimiter, createLimiter, type Limiter } from './limiters.ts';
import type { Principal } from './principal.ts';

interface Quota {
  limit: () => number;
  /** What it counts. */
  of: 'requests' | 'links in bulk calls' | 'pages read' | 'events' | 'new installs';
  /** `window`: RATE_LIMIT_WINDOW_SECONDS. `day`: the UTC day. */
  per: 'window' | 'day';
}

/** Every quota, with the setting that limits it. */
const QUOTAS = {
  secretKey: requests(() => config.rateLimitPerMinute),
  publishableKey: requests(() => config.rateLimitPublishablePerMinute),
  publishableKeyAddress: requests(() => config.rateLimitPublishableAddressPerMinute),
  install: requests(() => config.rateLimitInstallPerMinute),
  address: requests(() => config.rateLimitAddressPerMinute),
  session: requests(() => config.rateLimitSessionPerMinute),
  rows: { limit: () => config.rateLimitRowsPerMinute, of: 'links in bulk calls', per: 'window' },
  pageReads: { limit: () => config.rateLimitPageReadsPerMinute, of: 'pages read', per: 'window' },
  keyEvents: { limit: () => config.rateLimitEventsPerMinute, of: 'events', per: 'window' },
  keyAddressEvents: { limit: () => config.rateLimitAddressEventsPerMinute, of: 'events', per: 'window' },
  projectEvents: { limit: () => config.sdkEventsPerDay, of: 'events', per: 'day' },
  projectInstalls: { limit: () => config.sdkInstallsPerDay, of: 'new installs', per: 'day' },
  addressInstalls: { limit: () => installsOfAddress(config.sdkInstallsPerDay), of: 'new installs', per: 'day' },
} as const satisfies Record<string, Quota>;

function requests(limit: () => number) {
  return { limit, of: 'requests', per: 'window' } as const;
}

/** One address cannot use up the new installs of a project's day, but a thousand devices may share an address. */
function installsOfAddress(ofProject: number): number {
  return Math.max(1000, Math.floor(ofProject / 5));
}

export type QuotaName = keyof typeof QUOTAS;

/** Points to consume from a quota (1 unless given), and the subject whose quota it is. */
export type QuotaUse = [name: QuotaName, subject: string, points?: number];

/** The state of a quota, as the RateLimit headers report it. */
export interface QuotaState extends Pick<Quota, 'of' | 'per'> {
  name: QuotaName;
  limit: number;
  remaining: number;
  /** Seconds until the window ends, rounded up. */
  resetSeconds: number;
  isExceeded: boolean;
}

/** Quotas are counted from zero by each process that opens a store; where several share it, or by the day, in the store. */
const limiters = ofStore(() => new Map<QuotaName, Limiter>(), closeLimiters);

/** Installs that were looked up lately: a device that sends often is looked up once. */
const knownInstalls = ofStore(() => new LRUCache<string, true>({ max: 100_000 }));

/**
 * Consumes these quotas in their order and stops at the first that is used up: a client that exceeds its own quota, which
 * comes first, uses up nothing of the quota that it shares with others. Returns the states of the quotas that were asked.
 * While the counter fails, requests pass uncounted and no state is returned.
 */
export async function consumeQuotas(quotas: readonly QuotaUse[]): Promise<QuotaState[]> {
  const states: QuotaState[] = [];
  try {
    for (const [name, subject, points = 1] of quotas) {
      const state = stateOf(name, await limiterOf(name).consume(subject, points));
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
 * Consumes one point for each link of a bulk call: a thousand links cost a thousand times the work and the disk space of
 * one. Throws `rate_limited`.
 */
export async function consumeRows(principal: Principal, rows: number): Promise<void> {
  if (principal.kind === 'nobody') return;
  const subject = principal.kind === 'key' ? principal.keyId : principal.tokenHash;
  const [state] = await consumeQuotas([['rows', subject, rows]]);
  if (state?.isExceeded) throw tooManyRequests(state);
}

/** Consumes one of the web pages that this service reads for a team. Throws `rate_limited`. */
export async function consumePageReads(teamId: string): Promise<void> {
  const [state] = await consumeQuotas([['pageReads', teamId]]);
  if (state?.isExceeded) throw tooManyRequests(state);
}

/** The headers that report a quota to the client. */
export function quotaHeaders({ limit, remaining, resetSeconds }: QuotaState): Record<string, string> {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
  };
}

/** The error for a quota that is used up. */
export function tooManyRequests({ limit, of, per, resetSeconds }: QuotaState): CodedError {
  const span = per === 'day' ? 'today (UTC)' : 'in this window';
  return new CodedError('rate_limited', `More than ${limit} ${of} ${span}. Try again in ${resetSeconds} seconds.`, {
    retryAfterSeconds: resetSeconds,
  });
}

/** The quota with the least left; null without any. */
export function nearestQuota(states: readonly QuotaState[]): QuotaState | null {
  return states.reduce<QuotaState | null>(
    (nearest, state) => (nearest && !isNearer(state, nearest) ? nearest : state),
    null,
  );
}

function closeLimiters(open: Map<QuotaName, Limiter>): void {
  for (const limiter of open.values()) limiter.close();
  open.clear();
}

/**
 * Counts quotas from zero, by the settings as they are now.
 * @public Tests restart nothing for that.
 */
export function resetQuotas(): void {
  closeLimiters(limiters());
}

/**
 * The client behind an address, as a keyed hash: the store keeps counts, and no addresses. An IPv6 network of 64 bits is
 * one client, which can use any address in it; with 48 bits it is one customer, to whom a provider may assign that much.
 */
export function addressSubject(address: string, bits: 64 | 48 = 64): string {
  const client = isIPv6(address)
    ? ipaddr.IPv6.networkAddressFromCIDR(`${address.split('%')[0]}/${bits}`).toString()
    : address;
  return countedSubject(client);
}

/** A keyed hash by which to count something that must not be readable in the store. */
export function countedSubject(text: string): string {
  return createHmac('sha256', macKey('clients that are counted')).update(text).digest('base64url').slice(0, 22);
}

function limiterOf(name: QuotaName): Limiter {
  const known = limiters().get(name);
  if (known) return known;
  const { limit, per } = QUOTAS[name];
  const made =
    per === 'day' ? createDayLimiter(name, limit()) : createLimiter(name, limit(), config.rateLimitWindowSeconds);
  limiters().set(name, made);
  return made;
}

function stateOf(name: QuotaName, { consumed, msToReset, isRefused }: Consumption): QuotaState {
  const { of, per } = QUOTAS[name];
  const limit = QUOTAS[name].limit();
  return {
    ...{ name, of, per, limit },
    remaining: Math.max(0, limit - consumed),
    resetSeconds: Math.max(1, Math.ceil(msToReset / 1000)),
    isExceeded: isRefused,
  };
}

function isNearer(state: QuotaState, other: QuotaState): boolean {
  if (state.isExceeded !== other.isExceeded) return state.isExceeded;
  return state.isExceeded ? state.resetSeconds > other.resetSeconds : state.remaining < other.remaining;
}

/**
 * Whether an install has reported an opening before, which invented ids have not. An install that was deleted lately may
 * still count as known.
 */
export async function isKnownInstall(install: { projectId: string; installId: string }): Promise<boolean> {
  const key = `${install.projectId} ${install.installId}`;
  if (knownInstalls().get(key)) return true;
  const [row] = await queryRaw('SELECT 1 AS one FROM installs WHERE project_id = $1 AND install_id = $2', [
    install.projectId,
    install.installId,
  ]);
  if (row) knownInstalls().set(key, true);
  return row !== undefined;
}
