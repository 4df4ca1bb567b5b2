import { createHmac } from 'node:crypto';
import { executeOnce } from '../src/access/idempotency.ts';
import type { IdempotentRequest, StoredResponse } from '../src/access/idempotencyStore.ts';
import { CodedError } from '../src/kernel/errors.ts';
import { macKey } from '../src/kernel/secrets.ts';
import { type Answer, errorBody, JSON_TYPE } from './respond.ts';
import type { CompiledRoute } from './route.ts';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

interface Sent {
  target: string;
  body: { sha256: string };
  idempotencyKey?: string | undefined;
}

/** The request as its `Idempotency-Key` identifies it; null without one. Throws `invalid_request`. */
export function idempotentRequestOf(
  { method }: CompiledRoute,
  { target, body, idempotencyKey: header }: Sent,
  keyId: string,
): IdempotentRequest | null {
  if (header === undefined) return null;
  const idempotencyKey = unquoted(header);
  if (!PRINTABLE.test(idempotencyKey)) {
    throw new CodedError('invalid_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters.');
  }
  // A keyed hash: the body may contain a password, which could be guessed from a plain hash in a copy of the store.
  const fingerprint = createHmac('sha256', macKey('fingerprints of requests'))
    .update(`${method} ${target}\n${body.sha256}`)
    .digest('base64url');
  return { keyId, idempotencyKey, fingerprint };
}

/** Carries the request out once: a repeat gets the first response, marked as replayed. */
export async function answerIdempotently(
  request: IdempotentRequest,
  { secret }: CompiledRoute,
  requestId: string,
  answer: () => Promise<Answer>,
): Promise<StoredResponse & { isReplayed: boolean }> {
  const { response, isReplayed } = await executeOnce(request, {
    run: async () => {
      const { status, contentType, body } = await answer();
      return { status, contentType, body: body.toString() };
    },
    isSecret: secret === true,
    present: (refusal) => ({
      status: refusal.status,
      contentType: JSON_TYPE,
      body: JSON.stringify(errorBody(refusal, requestId)),
    }),
  });
  return { ...response, isReplayed };
}

/** The standard form of the header is a quoted string; most clients send it bare. Both mean the same key. */
function unquoted(header: string): string {
  return /^"(?:[^"\\]|\\.)*"$/.test(header) ? header.slice(1, -1).replace(/\\(.)/g, '$1') : header;
}
