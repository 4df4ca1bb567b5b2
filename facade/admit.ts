import type Koa from 'koa';
import type { KeyPrincipal } from '../src/access/principal.ts';
import {
  addressSubject,
  nearestQuota,
  type QuotaName,
  type QuotaState,
  takeFromQuotas,
} from '../src/access/quotas/quotas.ts';
import { CodedError } from '../src/kernel/errors.ts';
import { authenticate } from './authenticate.ts';
import type { Surface } from './surfaces.ts';

interface Entrance {
  surface: Surface;
  /** Refuses requests without a good key. */
  needsKey: boolean;
  /** What is wrong with the path or method: told before anything about the key, but counted like every request. */
  routeError: CodedError | null;
}

/** Who comes in; `excess`: a quota is used up. */
export interface Admission {
  principal: KeyPrincipal | null;
  excess: CodedError | null;
}

/**
 * Who asks, counted against their quota: sets the RateLimit headers of every answer. Throws in the order of the
 * contract: route, key; an address without a valid key is told of its quota first when that is used up.
 */
export async function admit(ctx: Koa.Context, { surface, needsKey, routeError }: Entrance): Promise<Admission> {
  const { principal, refusal } = await authenticate(ctx.req, surface);
  const excess = await countRequest(ctx, quotasOf(principal, ctx.state.clientAddress));
  if (routeError) throw routeError;
  if (refusal && needsKey && (principal || !excess)) throw refusal;
  return { principal: refusal ? null : principal, excess };
}

/** Takes the request from these quotas too; gives `rate_limited` when one is used up. */
export async function countRequest(ctx: Koa.Context, quotas: [QuotaName, string][]): Promise<CodedError | null> {
  const taken = await takeFromQuotas(quotas);
  const state = nearestQuota([ctx.state.quota, taken].filter((known): known is QuotaState => Boolean(known)));
  if (!state) return null;
  ctx.state.quota = state;
  ctx.set('RateLimit-Limit', String(state.limit));
  ctx.set('RateLimit-Remaining', String(state.remaining));
  ctx.set('RateLimit-Reset', String(state.resetSeconds));
  return state.isExceeded ? tooMany(state) : null;
}

function quotasOf(principal: KeyPrincipal | null, address: string): [QuotaName, string][] {
  const subject = addressSubject(address);
  if (!principal) return [['address', subject]];
  if (principal.keyKind === 'secret') return [['secretKey', principal.keyId]];
  return [
    ['publishableKey', principal.keyId],
    ['publishableKeyAddress', `${principal.keyId} ${subject}`],
  ];
}

function tooMany({ limit, resetSeconds }: QuotaState): CodedError {
  return new CodedError(
    'rate_limited',
    `More than ${limit} requests in this window. Try again in ${resetSeconds} seconds.`,
    { retryAfterSeconds: resetSeconds },
  );
}
