import { ERROR_STATUS, type ErrorCode } from '../../src/kernel/errors.ts';
import { type CompiledRoute, keepsAnswers } from '../compileRoute.ts';
import { type Json, ref } from './Json.ts';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

/** Headers of answers, under short names: each answer refers to four of them. */
const NAMES = {
  RequestId: 'X-Request-Id',
  Limit: 'RateLimit-Limit',
  Remaining: 'RateLimit-Remaining',
  Reset: 'RateLimit-Reset',
  RetryAfter: 'Retry-After',
  Replayed: 'Idempotency-Replayed',
  Authenticate: 'WWW-Authenticate',
  Disposition: 'Content-Disposition',
} as const;
type Name = keyof typeof NAMES;

/** The components of that name. */
export const HEADERS: Record<Name, Json> = {
  RequestId: {
    description: 'Names this request in our logs; the one that was sent, if it is sane.',
    schema: text,
  },
  Limit: { description: 'Requests in a window, of the quota that is nearest to empty.', schema: count },
  Remaining: { description: 'What is left of it.', schema: count },
  Reset: { description: 'Seconds until the window ends.', schema: count },
  RetryAfter: { description: 'Seconds to wait before the next try.', schema: count },
  Replayed: {
    description: '`true` when this is the stored answer to the first request with this `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  Authenticate: { description: 'How to say who you are: `Bearer`.', schema: text },
  Disposition: { description: 'The name under which browsers save the file.', schema: text },
};

const EVERYWHERE: Name[] = ['RequestId', 'Limit', 'Remaining', 'Reset'];
/** Refusals that say when to come back. */
const WAIT: readonly ErrorCode[] = ['rate_limited', 'idempotency_in_progress', 'unavailable'];
/** Refusals that are decided while acting, and so are kept for repeats. */
const KEPT: readonly ErrorCode[] = [
  'not_found',
  'slug_taken',
  'conflict',
  'destination_refused',
  'account_limit_reached',
];

/** Of every answer. */
export function usualHeaders(): Json {
  return refs(EVERYWHERE);
}

export function successHeaders(route: CompiledRoute): Json {
  return refs([
    ...EVERYWHERE,
    ...(keepsAnswers(route) ? (['Replayed'] as const) : []),
    ...(route.overQuota ? (['RetryAfter'] as const) : []),
    ...(route.answer === 'csv' ? (['Disposition'] as const) : []),
  ]);
}

/** Of the refusals that share a status. */
export function refusalHeaders(codes: ErrorCode[], isKept: boolean): Json {
  return refs([
    ...EVERYWHERE,
    ...(codes.some((code) => WAIT.includes(code)) ? (['RetryAfter'] as const) : []),
    ...(codes.some((code) => ERROR_STATUS[code] === 401) ? (['Authenticate'] as const) : []),
    ...(isKept && codes.some((code) => KEPT.includes(code)) ? (['Replayed'] as const) : []),
  ]);
}

function refs(names: Name[]): Json {
  return Object.fromEntries(names.map((name) => [NAMES[name], ref('headers', name)]));
}
