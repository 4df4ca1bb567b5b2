import { ERROR_STATUS, type ErrorCode } from '../../src/kernel/errors.ts';
import { type CompiledRoute, keepsAnswers } from '../compileRoute.ts';
import { type Json, ref } from './Json.ts';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

/** Headers of answers. */
export const HEADERS: Record<string, Json> = {
  'X-Request-Id': {
    description: 'Names this request in our logs; the one that was sent, if it is sane.',
    schema: text,
  },
  'RateLimit-Limit': { description: 'Requests in a window, of the quota that is nearest to empty.', schema: count },
  'RateLimit-Remaining': { description: 'What is left of it.', schema: count },
  'RateLimit-Reset': { description: 'Seconds until the window ends.', schema: count },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: count },
  'Idempotency-Replayed': {
    description: '`true` when this is the stored answer to the first request with this `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  'WWW-Authenticate': { description: 'How to say who you are: `Bearer`.', schema: text },
  'Content-Disposition': { description: 'The name under which browsers save the file.', schema: text },
};

const EVERYWHERE = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
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

export function successHeaders(route: CompiledRoute): Json {
  return refs([
    ...EVERYWHERE,
    ...(keepsAnswers(route) ? ['Idempotency-Replayed'] : []),
    ...(route.overQuota ? ['Retry-After'] : []),
    ...(route.answer === 'csv' ? ['Content-Disposition'] : []),
  ]);
}

/** Of the refusals that share a status. */
export function refusalHeaders(route: CompiledRoute, codes: ErrorCode[]): Json {
  return refs([
    ...EVERYWHERE,
    ...(codes.some((code) => WAIT.includes(code)) ? ['Retry-After'] : []),
    ...(codes.some((code) => ERROR_STATUS[code] === 401) ? ['WWW-Authenticate'] : []),
    ...(keepsAnswers(route) && codes.some((code) => KEPT.includes(code)) ? ['Idempotency-Replayed'] : []),
  ]);
}

function refs(names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, ref('headers', name)]));
}
