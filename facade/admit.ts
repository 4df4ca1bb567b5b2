import type Koa from 'koa';
import type { KeyPrincipal } from '../src/access/principal.ts';
import {
  addressSubject,
  nearestQuota,
  type QuotaName,
  type QuotaState,
  quotaHeaders,
  type Take,
  takeFromQuotas,
  tooManyRequests,
} from '../src/access/quotas/quotas.ts';
import type { CodedError } from '../src/kernel/errors.ts';
import { authenticate } from './authenticate.ts';
import type { Surface } from './surfaces.ts';

interface Entrance {
  surface: Surface;
  /** Refuses requests without a good key. */
  needsKey: boolean;
  /** What is wrong with the path or method: told before anything about the key, but counted like every request. */
  routeError: CodedError | null;
}

/** Who comes in; `excess`: a quota is used up, the one that is named. */
export interface Admission {
  principal: KeyPrincipal | null;
  excess: CodedError | null;
  exceeded: QuotaName | null;
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
  const exceeded = excess && ctx.state.quota.name;
  return { principal: refusal ? null : principal, excess, exceeded };
}

/** Takes from these quotas too; gives `rate_limited` when one is used up. `look` is shown each that was taken from. */
export async function countRequest(
  ctx: Koa.Context,
  quotas: Take[],
  look: (state: QuotaState) => void = () => {},
): Promise<CodedError | null> {
  const states = await takeFromQuotas(quotas);
  states.forEach(look);
  const state = nearestQuota(ctx.state.quota ? [ctx.state.quota, ...states] : states);
  if (!state) return null;
  ctx.state.quota = state;
  ctx.set(quotaHeaders(state));
  return state.isExceeded ? tooManyRequests(state) : null;
}

function quotasOf(principal: KeyPrincipal | null, address: string): Take[] {
  const subject = addressSubject(address);
  if (!principal) return [['address', subject]];
  if (principal.keyKind === 'secret') return [['secretKey', principal.keyId]];
  return [
    ['publishableKeyAddress', `${principal.keyId} ${subject}`],
    ['publishableKey', principal.keyId],
  ];
}
