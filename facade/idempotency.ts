import { createHmac } from 'node:crypto';
import type Koa from 'koa';
import { answerOnce } from '../src/access/idempotency/answerOnce.ts';
import type { Answer, Question } from '../src/access/idempotency/records.ts';
import { CodedError } from '../src/kernel/errors.ts';
import { macKey } from '../src/kernel/secrets.ts';
import type { CompiledRoute } from './compileRoute.ts';
import { errorBody } from './problem.ts';
import { respond } from './respond.ts';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** The question that an `Idempotency-Key` makes of a request; null without one. Throws `invalid_request`. */
export function questionOf(ctx: Koa.Context, keyId: string, bodySha256: string): Question | null {
  const header = ctx.req.headers['idempotency-key'];
  if (header === undefined) return null;
  const idempotencyKey = unquoted(String(header));
  if (!PRINTABLE.test(idempotencyKey)) {
    throw new CodedError('invalid_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters.');
  }
  // Keyed: the body may hold a password, and a bare hash of it could be guessed from a copy of the store.
  const fingerprint = createHmac('sha256', macKey('fingerprints of requests'))
    .update(`${ctx.method} ${ctx.originalUrl}\n${bodySha256}`)
    .digest('base64url');
  return { keyId, idempotencyKey, fingerprint };
}

/** Acts once for the question, and answers it: a repeat gets the first answer, marked as replayed. */
export async function once(
  ctx: Koa.Context,
  question: Question,
  route: CompiledRoute,
  act: () => Promise<Answer>,
): Promise<void> {
  const { answer, isReplayed } = await answerOnce(question, {
    act,
    isSecret: route.secret === true,
    present: (refusal) => ({
      status: refusal.status,
      contentType: 'application/json; charset=utf-8',
      body: JSON.stringify(errorBody(refusal, ctx.state.requestId)),
    }),
  });
  if (isReplayed) ctx.set('Idempotency-Replayed', 'true');
  respond(ctx, answer);
}

/** The header's standard form is a quoted string; most clients send it bare. Both name the same key. */
function unquoted(header: string): string {
  return /^"(?:[^"\\]|\\.)*"$/.test(header) ? header.slice(1, -1).replace(/\\(.)/g, '$1') : header;
}
