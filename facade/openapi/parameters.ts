import { isNonNullType } from 'graphql';
import { schemaOfInput } from '../../schema/inputSchema.ts';
import { snakeCase } from '../../src/kernel/snakeCase.ts';
import { type CompiledRoute, keepsAnswers } from '../compileRoute.ts';
import { type Json, ref } from './Json.ts';

/** Headers that requests may have, and those that deliveries of webhooks have. */
export const PARAMETERS: Record<string, Json> = {
  RequestId: header('X-Request-Id', {
    description: 'Your own name for this request: 1 to 128 letters, digits and `-_.:`. Comes back in the answer.',
    schema: { type: 'string', maxLength: 128 },
  }),
  IdempotencyKey: header('Idempotency-Key', {
    description:
      'A name for this request, made by you: a repeat with it gets the first answer, and nothing is done twice.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  }),
  Signature: header('SVC-Signature', {
    required: true,
    description:
      '`t=<unix seconds>,v1=<hex>`, with one more `v1` for each further secret that is live. Each is the HMAC-SHA256 of ' +
      '`<t>.<raw body>`; the key is the whole secret, `whsec_…`.',
    schema: { type: 'string', pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$' },
  }),
  EventId: header('SVC-Event-Id', { required: true, description: '`id` of the event.', schema: { type: 'string' } }),
  EventType: header('SVC-Event-Type', {
    required: true,
    description: '`type` of the event.',
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
    description: 'Who sends it.',
    schema: { type: 'string', const: 'SVC-Webhooks/1' },
  }),
};

const OF_DELIVERIES = ['Signature', 'EventId', 'EventType', 'DeliveryId', 'Attempt', 'UserAgent'];

/** What an operation takes beside its body. */
export function parametersOf(route: CompiledRoute): Json[] {
  return [
    ...[...route.pathVariables.keys()].map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...queryParameters(route),
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
