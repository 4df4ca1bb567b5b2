import { createHmac } from 'node:crypto';
import type Koa from 'koa';
import { executeOnce } from '../src/access/idempotency.ts';
import type { IdempotentRequest, StoredResponse } from '../src/access/idempotencyStore.ts';
import { CodedError } from '../src/kernel/errors.ts';
import { macKey } from '../src/kernel/secrets.ts';
import { errorBody, respond } from './respond.ts';
import type { CompiledRoute } from './route.ts';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** The request as its `Idempotency-Key` identifies it; null without one. Throws `invalid_request`. */
export function idempotencyKeyOf(ctx: Koa.Context, keyId: string, bodySha256: string): IdempotentRequest | null {
  const header = ctx.req.headers['idempotency-key'];
  if (header === undefined) return null;
  const idempotencyKey = unquoted(String(header));
  if (!PRINTABLE.test(idempotencyKey)) {
    throw new CodedError('invalid_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters.');
  }
  // A keyed hash: the body may contain a password, which could be guessed from a plain hash in a copy of the store.
  const fingerprint = createHmac('sha256', macKey('fingerprints of requests'))
    .update(`${ctx.method} ${ctx.originalUrl}\n${bodySha256}`)
    .digest('base64url');
  return { keyId, idempotencyKey, fingerprint };
}

/** Carries the request out once and responds: a repeat gets the first response, marked as replayed. */
export async function answerIdempotently(
  ctx: Koa.Context,
  request: IdempotentRequest,
  route: CompiledRoute,
  run: () => Promise<StoredResponse>,
): Promise<void> {
  const { response, isReplayed } = await executeOnce(request, {
    run,
    isSecret: route.secret === true,
    present: (refusal) => ({
      status: refusal.status,
      contentType: 'application/json; charset=utf-8',
      body: JSON.stringify(errorBody(refusal, ctx.state.requestId)),
    }),
  });
  if (isReplayed) ctx.set('Idempotency-Replayed', 'true');
  respond(ctx, response);
}

/** The standard form of the header is a quoted string; most clients send it bare. Both mean the same key. */
function unquoted(header: string): string {
  return /^"(?:[^"\\]|\\.)*"$/.test(header) ? header.slice(1, -1).replace(/\\(.)/g, '$1') : header;
}
