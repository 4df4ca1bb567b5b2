import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import type { KeyPrincipal } from '../src/access/principal.ts';
import {
  addressSubject,
  consumeQuotas,
  nearestQuota,
  type QuotaName,
  type QuotaState,
  type QuotaUse,
  quotaHeaders,
  tooManyRequests,
} from '../src/access/quotas.ts';
import { verifyKey } from '../src/access/verifyKey.ts';
import { CodedError } from '../src/kernel/errors.ts';
import type { Api } from './apis.ts';

interface AdmitOptions {
  api: Api;
  /** Whether requests without a valid key are refused. */
  needsKey: boolean;
  /** A wrong path or method. Reported before anything about the key, but counted like every request. */
  routeError: CodedError | null;
}

/** An authenticated and counted request. `excess` is the error of a used-up quota, `exceeded` its name. */
export interface Admission {
  principal: KeyPrincipal | null;
  excess: CodedError | null;
  exceeded: QuotaName | null;
}

/**
 * Authenticates a request, counts it against the quotas of its key or address, and sets the RateLimit headers. Throws in
 * the order of the contract: route, then key. An address without a valid key gets the error of its used-up quota first.
 */
export async function admit(ctx: Koa.Context, { api, needsKey, routeError }: AdmitOptions): Promise<Admission> {
  const { principal, refusal } = await authenticate(ctx.req, api);
  const excess = await countRequest(ctx, quotasOf(principal, ctx.state.clientAddress));
  if (routeError) throw routeError;
  if (refusal && needsKey && (principal || !excess)) throw refusal;
  const exceeded = excess && ctx.state.quota.name;
  return { principal: refusal ? null : principal, excess, exceeded };
}

/** Consumes further quotas. Returns `rate_limited` when one is used up. `observe` receives the state of each. */
export async function countRequest(
  ctx: Koa.Context,
  quotas: QuotaUse[],
  observe: (state: QuotaState) => void = () => {},
): Promise<CodedError | null> {
  const states = await consumeQuotas(quotas);
  states.forEach(observe);
  const state = nearestQuota(ctx.state.quota ? [ctx.state.quota, ...states] : states);
  if (!state) return null;
  ctx.state.quota = state;
  ctx.set(quotaHeaders(state));
  return state.isExceeded ? tooManyRequests(state) : null;
}

function quotasOf(principal: KeyPrincipal | null, address: string): QuotaUse[] {
  const subject = addressSubject(address);
  if (!principal) return [['address', subject]];
  if (principal.keyKind === 'secret') return [['secretKey', principal.keyId]];
  return [
    ['publishableKeyAddress', `${principal.keyId} ${subject}`],
    ['publishableKey', principal.keyId],
  ];
}

/** The principal of a key, and why the key is refused. A key of the other kind has both. */
interface Bearer {
  principal: KeyPrincipal | null;
  refusal: CodedError | null;
}

/** Reads the key of a request. `refusal`: `missing_key`, `invalid_key`, `publishable_key_refused`, `secret_key_refused`. */
async function authenticate(request: IncomingMessage, api: Api): Promise<Bearer> {
  const key = api.keyOf(request);
  if (!key) return refused(new CodedError('missing_key', api.howToSendKey(request)));
  try {
    const principal = await verifyKey(key);
    if (principal.keyKind === api.keyKind) return { principal, refusal: null };
    return refused(new CodedError(api.refusal.code, api.refusal.message), principal);
  } catch (error) {
    if (error instanceof CodedError) return refused(error);
    throw error;
  }
}

function refused(refusal: CodedError, principal: KeyPrincipal | null = null): Bearer {
  return { principal, refusal };
}
