import { WebhookVerificationError } from './WebhookVerificationError.ts';

/** The request's body as it came: its bytes (a Buffer is a Uint8Array), or these decoded as UTF-8. */
export type RawBody = string | Uint8Array;

/** Throws `body_not_raw` for what frameworks hand out once they have parsed or skipped a body. */
export function assertRawBody(body: unknown): asserts body is RawBody {
  // Not instanceof: a Buffer made outside of a test runner's sandbox is none of the sandbox's Uint8Array.
  if (typeof body === 'string' || ArrayBuffer.isView(body)) return;
  throw new WebhookVerificationError(
    'body_not_raw',
    `The body is ${body ? 'an object' : 'missing'}, but the signature is of the raw bytes: pass those, before anything parses them. ` +
      "Express: express.raw({ type: 'application/json' }) on this route, ahead of express.json(). " +
      'Koa: ctx.request.rawBody of @koa/bodyparser. ' +
      "Fastify: addContentTypeParser('application/json', { parseAs: 'buffer' }, …). " +
      'Next: await request.text() in a route handler. node:http: Buffer.concat of the chunks.',
  );
}

/** The JSON of a body; throws a SyntaxError or, for bytes that are no UTF-8, a TypeError. */
export function parseJson(body: RawBody): unknown {
  return JSON.parse(typeof body === 'string' ? body : decoder.decode(body));
}

/** A byte order mark stays and is no JSON, as it is in a string. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
