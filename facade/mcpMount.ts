import { Readable } from 'node:stream';
import type Koa from 'koa';
import { maskError } from '../schema/execute.ts';
import type { KeyPrincipal } from '../src/access/principal.ts';
import { Places } from '../src/access/shares.ts';
import { config } from '../src/kernel/config.ts';
import { CodedError, type ErrorCode, methodNotAllowed } from '../src/kernel/errors.ts';
import { awaitBody, closeAfterResponse } from '../src/kernel/incomingRequest.ts';
import { baseHost, canonicalHost, OWN_PATHS } from '../src/kernel/origins.ts';
import { unlessStoreSilent } from '../src/kernel/storeResponse.ts';
import { APIS, type Api } from './apis.ts';
import type { Mounts } from './app.ts';
import { admit } from './authenticate.ts';
import { type McpParts, mcpParts } from './mcpParts.ts';
import { type McpSession, sessionOf } from './mcpSession.ts';
import { parseBody } from './parseJson.ts';
import { readAll } from './readBody.ts';
import type { Apis } from './router.ts';

/** The protocol behind the mount, in terms of the web's requests. */
interface Handler {
  fetch(request: Request, session: McpSession, parsedBody: unknown): Promise<Response>;
  close(): Promise<void>;
}

/** Loads what speaks the protocol, and hands it what it carries tools out with. */
export type LoadMcp = () => Promise<(parts: McpParts) => Handler>;

interface Mounted {
  mounts: Mounts;
  /** Ends every stream that has no end of its own. Calls are still answered. */
  close(): Promise<void>;
}

const BODY_LIMIT = 1024 * 1024;

/** The same keys as the REST API has. */
const MCP: Api = {
  ...APIS.rest,
  refusal: { code: 'publishable_key_refused', message: 'A publishable key is for apps; assistants need a secret key.' },
};

/** Serves assistants at /mcp. What speaks the protocol is loaded by the first request: most processes never get one. */
export function mcpMounts(apis: Apis, load: LoadMcp): Mounted {
  let loading: Promise<Handler> | undefined;
  let isClosing = false;
  const handler = () => {
    loading ??= load().then(async (make) => {
      const made = make(mcpParts(apis));
      if (isClosing) await made.close();
      return made;
    });
    return loading;
  };
  const streams = new Places('assistantStreams');
  const serve: Koa.Middleware = async (ctx) => {
    try {
      await answer(ctx, apis, handler, streams);
    } catch (error) {
      showError(ctx, error);
    }
  };
  const close = async () => {
    isClosing = true;
    await (await loading)?.close();
  };
  return { mounts: { [OWN_PATHS.mcp]: [serve] }, close };
}

async function answer(ctx: Koa.Context, apis: Apis, handler: () => Promise<Handler>, streams: Places): Promise<void> {
  if (ctx.path !== OWN_PATHS.mcp)
    throw new Wrong(404, 'not_found', `The address is ${config.baseUrl}${OWN_PATHS.mcp}.`);
  requireOwnHost(ctx);
  const { principal, excess } = await unlessStoreSilent(() =>
    admit(ctx, { api: MCP, needsKey: true, routeError: wrongMethod(ctx) }),
  );
  if (excess) throw excess;
  // `admit` refuses whoever has no key.
  if (!principal) throw new CodedError('missing_key', MCP.howToSendKey(ctx.req));
  const bytes = await awaitBody(ctx.req, config.requestSeconds, readAll(ctx.req, BODY_LIMIT));
  if (!bytes) throw new CodedError('payload_too_large', 'The message is larger than 1 MiB.');
  if (isList(bytes)) throw new Wrong(400, 'invalid_request', NO_BATCHES);
  const { requestId, clientAddress } = ctx.state;
  const session = sessionOf(apis, { principal, requestId, clientAddress, userAgent: ctx.get('User-Agent') || null });
  const message = await parsed(bytes);
  if (isSubscription(message)) holdPlace(ctx, principal, streams);
  const request = requestOf(ctx, message === undefined ? bytes : null);
  await send(ctx, await (await handler()).fetch(request, session, message));
}

/** A page of another site must not reach a server at this address through the browser of somebody who may (DNS rebinding). */
function requireOwnHost(ctx: Koa.Context): void {
  if (canonicalHost(ctx.req.headers.host) !== baseHost())
    throw new Wrong(421, 'invalid_request', 'This host does not serve /mcp.');
  const { origin } = ctx.req.headers;
  if (origin !== undefined && !isOurs(origin))
    throw new Wrong(403, 'invalid_request', 'Pages of other origins may not call /mcp.');
}

function isOurs(origin: string): boolean {
  const parsed = URL.parse(origin);
  if (parsed === null) return false;
  return parsed.protocol === new URL(config.baseUrl).protocol && canonicalHost(parsed.host) === baseHost();
}

function wrongMethod(ctx: Koa.Context): CodedError | null {
  if (ctx.method === 'POST') return null;
  ctx.set('Allow', 'POST');
  return methodNotAllowed(ctx.method, ['POST']);
}

/** What the protocol reads of a request; everything else, the key above all, stays on this side. */
const PASSED = /^(content-type|accept|user-agent|mcp-.*|last-event-id)$/;

/** The request as the web has it; its signal tells that the client has left. `body`: null where the message was parsed. */
function requestOf(ctx: Koa.Context, body: Buffer | null): Request {
  const left = new AbortController();
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished) left.abort();
  });
  const headers = Object.entries(ctx.req.headers).flatMap(([name, value]): [string, string][] =>
    value !== undefined && PASSED.test(name) ? [[name, [value].flat().join(', ')]] : [],
  );
  const url = `${config.baseUrl}${ctx.originalUrl}`;
  const sent = body ? { body: new Uint8Array(body) } : {};
  return new Request(url, { method: 'POST', headers, signal: left.signal, ...sent });
}

/** Whether a message asks for a stream that ends with the connection. */
function isSubscription(message: unknown): boolean {
  return (message as { method?: unknown } | undefined)?.method === 'subscriptions/listen';
}

function holdPlace(ctx: Koa.Context, principal: KeyPrincipal, streams: Places): void {
  streams.take(ctx, principal);
  ctx.res.once('close', () => streams.leave(ctx));
}

const NO_BATCHES =
  'Batches of messages are not accepted: send each message in a request of its own. The protocol dropped them in 2025-06-18.';

/** Whether a body is a JSON list, by its first sign. Each message is one request, and counts as one. */
function isList(bytes: Buffer): boolean {
  const first = bytes.find((byte) => !BLANK.has(byte));
  return first === '['.charCodeAt(0);
}

/** White space of JSON, and the bytes of a byte order mark. */
const BLANK = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/** The message; undefined for what is no JSON object, which the protocol has words of its own for. */
async function parsed(bytes: Buffer): Promise<unknown> {
  try {
    return await parseBody(bytes);
  } catch (error) {
    if (error instanceof CodedError && /nests deeper/.test(error.message)) throw error;
    return undefined;
  }
}

/** Headers of a connection are this server's: one that is about to stop says `close`. */
const OF_CONNECTIONS = new Set(['connection', 'keep-alive', 'transfer-encoding']);

async function send(ctx: Koa.Context, response: Response): Promise<void> {
  ctx.status = response.status;
  for (const [name, value] of response.headers) if (!OF_CONNECTIONS.has(name)) ctx.set(name, value);
  if (!response.body) {
    // An empty body, not null, of which Koa makes 204: what is not a request is answered with 202.
    ctx.body = '';
    ctx.remove('Content-Type');
  } else if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    ctx.set('X-Accel-Buffering', 'no');
    ctx.body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
  } else {
    ctx.body = Buffer.from(await response.arrayBuffer());
  }
}

/** What is wrong with a request before it is one of the protocol, with a status of its own. */
class Wrong extends CodedError {
  readonly httpStatus: number;

  constructor(httpStatus: number, code: ErrorCode, message: string) {
    super(code, message);
    this.httpStatus = httpStatus;
  }
}

/** An error in front of the protocol, in its form: nobody knows the id of a message that was not read. */
function showError(ctx: Koa.Context, thrown: unknown): void {
  const error = maskError(thrown, ctx.state.requestId);
  const { code, message, retryAfterSeconds } = error;
  const status = error instanceof Wrong ? error.httpStatus : error.status;
  ctx.status = status;
  if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
  if (status === 408) closeAfterResponse(ctx.req, ctx.res);
  if (status === 401)
    ctx.set('WWW-Authenticate', `Bearer realm="svc"${code === 'missing_key' ? '' : ', error="invalid_token"'}`);
  ctx.body = {
    jsonrpc: '2.0',
    id: null,
    error: { code: status >= 500 ? -32603 : -32600, message, data: { code, request_id: ctx.state.requestId } },
  };
}
