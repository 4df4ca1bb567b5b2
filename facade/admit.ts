import type Koa from 'koa';
import type { KeyPrincipal } from '../src/access/principal.ts';
import { addressSubject, type QuotaName, type QuotaState, takeFromQuotas } from '../src/access/quotas/quotas.ts';
import { CodedError } from '../src/kernel/errors.ts';
import { authenticate } from './authenticate.ts';

interface Entrance {
  /** Refuses requests without a good secret key. */
  needsKey: boolean;
  /** What is wrong with the path or method: told before anything about the key, but counted like every request. */
  routeError: CodedError | null;
}

/**
 * Who asks, counted against their quota: sets the RateLimit headers of every answer. Throws in the order of the
 * contract: route, key, rate; an address without a valid key is told of its quota first when that is used up.
 */
export async function admit(ctx: Koa.Context, { needsKey, routeError }: Entrance): Promise<KeyPrincipal | null> {
  const { principal, refusal } = await authenticate(ctx.req);
  const state = await takeFromQuotas(quotasOf(principal, ctx.state.clientAddress));
  if (state) showQuota(ctx, state);
  if (routeError) throw routeError;
  if (refusal && needsKey && (principal || !state?.isExceeded)) throw refusal;
  if (state?.isExceeded) throw tooMany(state);
  return refusal ? null : principal;
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

function showQuota(ctx: Koa.Context, { limit, remaining, resetSeconds }: QuotaState): void {
  ctx.set('RateLimit-Limit', String(limit));
  ctx.set('RateLimit-Remaining', String(remaining));
  ctx.set('RateLimit-Reset', String(resetSeconds));
}

function tooMany({ limit, resetSeconds }: QuotaState): CodedError {
  return new CodedError(
    'rate_limited',
    `More than ${limit} requests in this window. Try again in ${resetSeconds} seconds.`,
    { retryAfterSeconds: resetSeconds },
  );
}
