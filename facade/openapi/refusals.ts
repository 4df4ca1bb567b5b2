import { Kind } from 'graphql';
import { ERROR_STATUS, type ErrorCode } from '../../src/kernel/errors.ts';
import { type CompiledRoute, keepsAnswers } from '../compileRoute.ts';
import { refusalHeaders } from './headers.ts';
import { type Json, ref } from './Json.ts';

/** Every refusal of an operation, by status. The examples of a status are its codes. */
export function describeRefusals(route: CompiledRoute): Json {
  return refusalsWith(codesOf(route), keepsAnswers(route));
}

/** What every request can be answered, whatever it asks for. */
export const ALWAYS: ErrorCode[] = ['rate_limited', 'internal_error', 'unavailable'];

/** These codes by status; `isKept`: a repeat gets the first answer. */
export function refusalsWith(codes: ErrorCode[], isKept: boolean): Json {
  const byStatus = Map.groupBy(codes, (code) => ERROR_STATUS[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [
      status,
      {
        description: ofStatus.map((code) => `\`${code}\``).join(', '),
        headers: refusalHeaders(ofStatus, isKept),
        content: {
          'application/json': {
            schema: ref('schemas', 'Error'),
            examples: Object.fromEntries(ofStatus.map((code) => [code, ref('examples', code)])),
          },
        },
      },
    ]),
  );
}

/** Every code that an operation can answer, in the order of the catalogue. */
export function codesOf(route: CompiledRoute): ErrorCode[] {
  const codes = new Set<ErrorCode>(['validation_failed', ...ALWAYS]);
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  if (route.on.keyKind === 'publishable') add('missing_key', 'invalid_key', 'secret_key_refused');
  if (route.scope) add('missing_key', 'invalid_key', 'publishable_key_refused', 'insufficient_scope');
  if (route.scope?.endsWith(':write')) add('team_read_only');
  if (route.method !== 'GET' && route.method !== 'DELETE') {
    add('payload_too_large', 'unsupported_media_type', 'request_timeout');
    if (route.takes !== 'csv') add('invalid_json');
  }
  if (keepsAnswers(route)) add('invalid_request', 'idempotency_in_progress', 'idempotency_key_reused');
  if (route.queryArguments.some((arg) => arg.name === 'cursor')) add('invalid_request');
  if (namesThings(route) || route.id.startsWith('lookup')) add('not_found');
  add(...(route.errors ?? []));
  return (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) => codes.has(code));
}

/** An id in the path may be of nothing; a text there, such as an external id, is only taken as it is. */
function namesThings({ operation, pathVariables }: CompiledRoute): boolean {
  const inPath = new Set(pathVariables.values());
  return (operation.variableDefinitions ?? []).some(({ variable, type }) => {
    const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
    return inPath.has(variable.name.value) && named.kind === Kind.NAMED_TYPE && named.name.value === 'ID';
  });
}
