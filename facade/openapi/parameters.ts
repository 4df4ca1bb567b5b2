import { isNonNullType } from 'graphql';
import { schemaOfInput } from '../../schema/inputSchema.ts';
import { ERROR_STATUS, type ErrorCode } from '../../src/kernel/errors.ts';
import { snakeCase } from '../../src/kernel/wire.ts';
import { type CompiledRoute, DRY_RUN, keepsAnswers } from '../route.ts';
import { type Json, ref } from './parts.ts';

/** Parameters that operations share: headers of requests and of deliveries to webhooks, and `dry_run`. */
export const PARAMETERS: Record<string, Json> = {
  RequestId: header('X-Request-Id', {
    description: 'Your own id for this request: 1 to 128 letters, digits and `-_.:`. Returned in the response.',
    schema: { type: 'string', maxLength: 128 },
  }),
  IdempotencyKey: header('Idempotency-Key', {
    description: 'Your own key for this request: a retry with it gets the first response, and nothing is done twice.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  }),
  LastEventId: header('Last-Event-ID', {
    description: 'The last event that you have; it wins over `after`.',
    schema: { type: 'string', maxLength: 255 },
  }),
  DryRun: { ...DRY_RUN, in: 'query' },
  Signature: header('SVC-Signature', {
    required: true,
    description:
      '`t=<unix seconds>,v1=<hex>`, with one more `v1` for each further active secret. Each is the HMAC-SHA256 of ' +
      '`<t>.<raw body>`; the key is the whole secret, `whsec_…`.',
    schema: { type: 'string', pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$' },
  }),
  EventId: header('SVC-Event-Id', {
    required: true,
    description: '`id` of the event; of a batch, that of the delivery. The same on every attempt.',
    schema: { type: 'string' },
  }),
  EventType: header('SVC-Event-Type', {
    required: true,
    description: '`type` of the event, or `batch`.',
    schema: { type: 'string' },
  }),
  DeliveryId: header('SVC-Delivery-Id', {
    required: true,
    description: 'Id of the delivery; the same on every attempt.',
    schema: { type: 'string' },
  }),
  Attempt: header('SVC-Attempt', {
    required: true,
    description: 'Number of the attempt, from 1.',
    schema: { type: 'integer', minimum: 1 },
  }),
  UserAgent: header('User-Agent', {
    required: true,
    description: 'The sender.',
    schema: { type: 'string', const: 'SVC-Webhooks/1' },
  }),
};

const OF_DELIVERIES = ['Signature', 'EventId', 'EventType', 'DeliveryId', 'Attempt', 'UserAgent'];

/** The parameters of an operation. */
export function parametersOf(route: CompiledRoute): Json[] {
  return [
    ...[...route.pathVariables.keys()].map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...queryParameters(route),
    ...(route.rehearses ? [ref('parameters', 'DryRun')] : []),
    ...(route.answer === 'stream' ? [ref('parameters', 'LastEventId')] : []),
    ref('parameters', 'RequestId'),
    ...(keepsAnswers(route) ? [ref('parameters', 'IdempotencyKey')] : []),
  ];
}

/** The headers of a delivery. */
export function deliveryParameters(): Json[] {
  return OF_DELIVERIES.map((name) => ref('parameters', name));
}

function queryParameters(route: CompiledRoute): Json[] {
  return route.queryArguments.map((arg) => {
    const { description, type, ...rest } = schemaOfInput(arg, 'wire');
    const bare = Array.isArray(type) ? type.filter((name) => name !== 'null')[0] : type;
    const choices = Array.isArray(rest.enum) ? { enum: rest.enum.filter((value) => value !== null) } : {};
    const parameter = {
      name: snakeCase(arg.name),
      in: 'query',
      ...(isNonNullType(arg.type) && arg.defaultValue === undefined ? { required: true } : {}),
      schema: { ...rest, ...choices, type: bare },
    };
    return description ? { ...parameter, description } : parameter;
  });
}

function header(name: string, more: Json): Json {
  return { name, in: 'header', ...more };
}

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

/** Response headers, under short names, because each response refers to four of them. */
const NAMES = {
  RequestId: 'X-Request-Id',
  Limit: 'RateLimit-Limit',
  Remaining: 'RateLimit-Remaining',
  Reset: 'RateLimit-Reset',
  RetryAfter: 'Retry-After',
  Replayed: 'Idempotency-Replayed',
  DryRun: 'SVC-Dry-Run',
  Authenticate: 'WWW-Authenticate',
  Disposition: 'Content-Disposition',
} as const;
type Name = keyof typeof NAMES;

/** The components of that name. */
export const HEADERS: Record<Name, Json> = {
  RequestId: {
    description: 'Identifies this request in our logs; the one that you sent, if it was valid.',
    schema: text,
  },
  Limit: { description: 'Requests per window of the quota that is closest to its limit.', schema: count },
  Remaining: { description: 'Requests left in the window.', schema: count },
  Reset: { description: 'Seconds until the window ends.', schema: count },
  RetryAfter: { description: 'Seconds to wait before the next attempt.', schema: count },
  Replayed: {
    description: '`true` when this is the stored answer to the first request with this `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  DryRun: {
    description: '`true` when this tells what would have happened, because of `dry_run`.',
    schema: { type: 'string', enum: ['true'] },
  },
  Authenticate: { description: 'How to authenticate: `Bearer`.', schema: text },
  Disposition: { description: 'The name under which browsers save the file.', schema: text },
};

const EVERYWHERE: Name[] = ['RequestId', 'Limit', 'Remaining', 'Reset'];
/** Errors that say when to retry. */
const WAIT: readonly ErrorCode[] = ['rate_limited', 'idempotency_in_progress', 'unavailable'];
/** Errors that occur during the work of an operation, and so are stored for retries. */
export const DURING_WORK: readonly ErrorCode[] = [
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
    ...(route.rehearses ? (['DryRun'] as const) : []),
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
    ...(isKept && codes.some((code) => DURING_WORK.includes(code)) ? (['Replayed'] as const) : []),
  ]);
}

function refs(names: Name[]): Json {
  return Object.fromEntries(names.map((name) => [NAMES[name], ref('headers', name)]));
}
