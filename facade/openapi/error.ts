import { ERROR_STATUS, type ErrorCode } from '../../src/kernel/errors.ts';
import { docUrl } from '../../src/kernel/origins.ts';
import type { Json } from './Json.ts';

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
        doc_url: { type: 'string', format: 'uri', description: 'What the code means, and what to do.' },
        fields: {
          type: 'array',
          description: 'Every bad field; for validation_failed alone.',
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
  invalid_json: 'The body is no JSON: unexpected "}" in line 3, column 14.',
  invalid_request: 'The cursor is not one of this list.',
  missing_key: 'Send a secret key: Authorization: Bearer sk_live_…',
  invalid_key: 'This key is unknown, revoked or expired.',
  publishable_key_refused: 'A publishable key is for apps; the REST API needs a secret key.',
  secret_key_refused: 'A secret key must never ship in an app.',
  insufficient_scope: 'The key lacks the scope links:write.',
  team_read_only: 'The team is read-only.',
  account_limit_reached: 'A new team makes at most 100 links an hour.',
  not_found: 'There is no such link.',
  slug_taken: 'The slug "spring" is already used on go.example.com.',
  conflict: 'This name is taken.',
  idempotency_in_progress: 'The first request with this Idempotency-Key is still at work.',
  request_timeout: 'The body did not arrive within 60 seconds.',
  payload_too_large: 'The body is larger than 256 KiB.',
  unsupported_media_type: 'The body must have Content-Type: application/json.',
  validation_failed: 'limit: Must be at most 100.',
  destination_refused: 'This destination is refused.',
  idempotency_key_reused: 'This Idempotency-Key was used for another request.',
  rate_limited: 'More than 600 requests in this window. Try again in 12 seconds.',
  internal_error: 'Something went wrong here.',
  unavailable: 'The service is not available now. Try again.',
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
