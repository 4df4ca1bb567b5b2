import { Kind } from 'graphql';
import { ERROR_STATUS, type ErrorCode } from '../../src/kernel/errors.ts';
import { docUrl } from '../../src/kernel/origins.ts';
import { type CompiledRoute, keepsAnswers } from '../route.ts';
import { refusalHeaders } from './parameters.ts';
import { type Json, ref } from './parts.ts';

/** Every error response of an operation, by status. The examples of a status are its codes. */
export function describeRefusals(route: CompiledRoute): Json {
  return refusalsWith(codesOf(route), keepsAnswers(route));
}

/** The codes that every operation can return. */
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

/** Every code that an operation can return, in the order of the catalogue. */
export function codesOf(route: CompiledRoute): ErrorCode[] {
  const codes = new Set<ErrorCode>(['validation_failed', ...ALWAYS]);
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  if (route.on.keyKind === 'publishable') add('missing_key', 'invalid_key', 'secret_key_refused');
  else add('missing_key', 'invalid_key', 'publishable_key_refused');
  if (route.scope) add('insufficient_scope');
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

/** The error body of every operation. */
export const ERROR_SCHEMA: Json = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { 'x-name': 'ErrorCode', type: 'string', enum: Object.keys(ERROR_STATUS) },
        message: { type: 'string' },
        request_id: { type: 'string' },
        doc_url: { type: 'string', format: 'uri', description: 'Explains the code and what to do.' },
        fields: {
          type: 'array',
          description: 'Every invalid field; only for validation_failed.',
          items: {
            type: 'object',
            properties: { path: { type: 'string' }, message: { type: 'string' } },
            required: ['path', 'message'],
          },
        },
      },
      required: ['code', 'message', 'request_id', 'doc_url'],
    },
  },
  required: ['error'],
};

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  invalid_json: 'The body is not JSON: unexpected "}" in line 3, column 14.',
  invalid_request: 'The cursor is invalid.',
  missing_key: 'Send a secret key: Authorization: Bearer sk_live_…',
  invalid_key: 'This key is unknown, revoked or expired.',
  publishable_key_refused: 'A publishable key is for apps; the REST API needs a secret key.',
  secret_key_refused: 'A secret key must never ship in an app.',
  insufficient_scope: 'The key lacks the scope links:write.',
  team_read_only: 'The team is read-only.',
  account_limit_reached: 'A new team may create at most 100 links per hour.',
  not_found: 'There is no such link.',
  slug_taken: 'The slug "spring" is already used on go.example.com.',
  conflict: 'This name is already in use.',
  idempotency_in_progress: 'The first request with this Idempotency-Key is still running.',
  request_timeout: 'The body did not arrive within 60 seconds.',
  payload_too_large: 'The body is larger than 256 KiB.',
  unsupported_media_type: 'The body must have Content-Type: application/json.',
  validation_failed: 'limit: Must be at most 100.',
  destination_refused: 'This destination is refused.',
  idempotency_key_reused: 'This Idempotency-Key was used for another request.',
  rate_limited: 'More than 600 requests in this window. Try again in 12 seconds.',
  internal_error: 'Something went wrong on our side.',
  unavailable: 'The service is not available now. Try again.',
};

/** What to do about each code, for people. */
export const ADVICE: Record<ErrorCode, string> = {
  invalid_json: 'Correct the body: the message names line and column. Check quotes, commas and the encoding (UTF-8).',
  invalid_request:
    'Read the message. A cursor is only valid for the filters and the sort that it came from: begin again without one.',
  invalid_token: 'The link of the mail is used, expired or incomplete. Request a new one.',
  missing_key: 'Send `Authorization: Bearer sk_live_…`; apps send `X-SVC-Key: pk_live_…`.',
  invalid_key: 'The key is unknown, revoked or expired. Compare it with the list of keys, or create a new one.',
  invalid_credentials: 'Email address, password or code is wrong. Check them, or reset the password.',
  not_signed_in: 'The session has ended. Sign in again.',
  second_factor_required: 'Send the code of the authenticator app, or a recovery code, in addition to the password.',
  publishable_key_refused: 'Use a secret key, `sk_live_…`, and keep it on your server.',
  secret_key_refused:
    'Use the publishable key, `pk_live_…`. If an app with this secret key was published, revoke the key.',
  insufficient_scope: 'The message names the scope. Create a key with it; scopes of a key cannot be added later.',
  team_read_only:
    'The team is in survival mode or about to be deleted: links work, changes are refused. Ask an owner of the team.',
  account_limit_reached: 'New teams have limits. Wait, as the message says, or ask the operator to lift the limits.',
  email_unconfirmed: 'Open the link in the confirmation mail, or have it sent again.',
  account_deleted: 'The account is being deleted. Restore it as the mail about it says.',
  sign_up_closed: 'Ask for an invitation: this installation creates no accounts without one.',
  wrong_account: 'The invitation is for another email address. Sign in with that one.',
  not_found:
    'Check the id, and that the key belongs to the right project: objects of other projects are reported as missing.',
  method_not_allowed: 'Use a method that the `Allow` header of the response lists.',
  request_timeout: 'Send the body faster, or in smaller parts. Check the connection.',
  slug_taken: 'Choose another slug, leave `slug` out to get a generated one, or change the link that has it.',
  conflict: 'The message names what is in the way. Fetch the current state and decide anew.',
  idempotency_in_progress:
    'The first request with this `Idempotency-Key` still runs. Wait for `Retry-After` seconds, then repeat the request.',
  payload_too_large: 'Send less at a time: up to 1,000 links in a bulk call, or a file to `POST /imports`.',
  unsupported_media_type: 'Set `Content-Type: application/json`, or `text/csv` for files of imports.',
  validation_failed:
    '`fields` lists every invalid field with its path. Correct them all and send the request again; do not repeat it unchanged.',
  destination_refused:
    'The destination is known to be harmful, or leads back to a short link. Use another one. If it is yours and safe, ask the operator.',
  idempotency_key_reused: 'Use a new `Idempotency-Key` for each different request.',
  rate_limited: 'Wait for `Retry-After` seconds, then go on more slowly. Bulk calls and exports save requests.',
  internal_error:
    'Repeat the request once, with the same `Idempotency-Key`. If it fails again, report the `request_id` to the operator.',
  unavailable: 'Wait for `Retry-After` seconds and repeat the request with the same `Idempotency-Key`.',
};

/** One example for each of these codes. */
export function errorExamples(codes: ErrorCode[]): Json {
  return Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }]));
}

function exampleOf(code: ErrorCode): Json {
  const fields = code === 'validation_failed' ? { fields: [{ path: 'limit', message: 'Must be at most 100.' }] } : {};
  const request_id = 'req_8f2c1d9a4b7e1';
  return { error: { code, message: MESSAGES[code] ?? code, request_id, doc_url: docUrl(code), ...fields } };
}
