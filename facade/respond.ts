import { Readable } from 'node:stream';
import type Koa from 'koa';
import { type Execution, execute, maskError } from '../schema/execute.ts';
import type { CodedError } from '../src/kernel/errors.ts';
import { closeAfterResponse } from '../src/kernel/incomingRequest.ts';
import { docUrl } from '../src/kernel/origins.ts';
import { END_MS, EVENT_STREAM_TYPE, STREAM_HEADERS } from '../src/kernel/serverSentEvents.ts';
import { mapYielding } from '../src/kernel/yield.ts';
import type { CompiledRoute } from './route.ts';

/** What an operation answers. */
export interface Answer {
  status: number;
  contentType: string;
  body: string | Buffer | Readable;
  /** The name under which browsers save it. */
  fileName?: string;
  /** The stored answer to the first request with the same `Idempotency-Key`. */
  isReplayed?: boolean;
  /** Nothing was kept. */
  isDryRun?: boolean;
  /** When to ask again, if this answer stands for a refusal; see `overQuota` of Route. */
  retryAfterSeconds?: number | undefined;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** The response of a route for the value of its root field; see `answer` of Route. */
export async function answerOf(route: CompiledRoute, result: unknown): Promise<Answer> {
  if (route.status === 204) return { status: 204, contentType: '', body: '' };
  if (route.answer === 'file') {
    const { mediaType, base64 } = result as { mediaType: string; base64: string };
    return { status: route.status, contentType: mediaType, body: Buffer.from(base64, 'base64') };
  }
  if (route.answer !== 'upsert') return json(route.status, result);
  const { created, ...made } = result as { created: boolean };
  return json(created ? 201 : 200, Object.values(made)[0]);
}

/** Sends an answer; a stream is sent as fast as the client reads it. */
export function respond(
  ctx: Koa.Context,
  { status, contentType, body, fileName, isReplayed, isDryRun, retryAfterSeconds }: Answer,
): void {
  ctx.status = status;
  if (isReplayed) ctx.set('Idempotency-Replayed', 'true');
  if (isDryRun) ctx.set('SVC-Dry-Run', 'true');
  if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
  if (status === 204) return;
  ctx.set('Content-Type', contentType);
  if (fileName) ctx.set('Content-Disposition', `attachment; filename="${fileName}"`);
  if (contentType === EVENT_STREAM_TYPE) sendForever(ctx, body as Readable);
  ctx.body = body;
}

/** A stream has no end of its own: it ends with its client, and a client that reads nothing does not delay its end. */
function sendForever({ res, method }: Koa.Context, stream: Readable): void {
  for (const [name, value] of Object.entries(STREAM_HEADERS)) res.setHeader(name, value);
  res.once('close', () => stream.destroy());
  if (method === 'HEAD') stream.destroy();
  // An ended response loses its reference to the socket, which a client that does not close its side keeps open.
  const { socket } = res;
  stream.once('end', () => setTimeout(() => socket?.destroy(), END_MS).unref());
}

async function json(status: number, value: unknown): Promise<Answer> {
  return { status, contentType: JSON_TYPE, body: await textOf(value) };
}

/** Only bulk calls return lists longer than this; their JSON may have megabytes. */
const LONG = 100;

/** Like JSON.stringify, but yields to other requests while it writes long lists. */
async function textOf(value: unknown): Promise<string> {
  if (!hasLong(value)) return JSON.stringify(value);
  const parts: string[] = [];
  for (const [name, inner] of Object.entries(value)) {
    const text = isLong(inner)
      ? `[${(await mapYielding(inner, (entry) => JSON.stringify(entry) ?? 'null')).join()}]`
      : JSON.stringify(inner);
    if (text !== undefined) parts.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${parts.join()}}`;
}

function isLong(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > LONG;
}

/** Runs for every response: a loop costs a third of what Object.values would. */
function hasLong(value: unknown): value is Record<string, unknown> {
  if (value === null || typeof value !== 'object') return false;
  for (const name in value) if (isLong((value as Record<string, unknown>)[name])) return true;
  return false;
}

interface CsvPage {
  csv: string;
  next_cursor: string | null;
}

const TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const;

/** The CSV of a list, or its lines of JSON where the variable `format` says so, page by page. Each page is fetched when the client has read the one before. */
export async function streamCsv(execution: Execution, name: string): Promise<Answer> {
  const page = (cursor: string | null) =>
    execute({ ...execution, variables: { ...execution.variables, cursor } }) as Promise<CsvPage>;
  // Fetched before the response begins, so that an error still gets its status.
  const first = await page(null);
  async function* pages() {
    let shown = first;
    yield shown.csv;
    while (shown.next_cursor) {
      shown = await page(shown.next_cursor);
      yield shown.csv;
    }
  }
  const body = Readable.from(pages(), { objectMode: false });
  const format = execution.variables.format === 'ndjson' ? 'ndjson' : 'csv';
  return { status: 200, contentType: TYPES[format], body, fileName: `${name}.${format}` };
}

/** Middleware that turns every error into the error body of the contract. */
export async function problem(ctx: Koa.Context, next: Koa.Next): Promise<void> {
  try {
    await next();
  } catch (thrown) {
    const error = maskError(thrown, ctx.state.requestId);
    ctx.status = error.status;
    if (error.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(error.retryAfterSeconds));
    if (error.status === 408) closeAfterResponse(ctx.req, ctx.res);
    if (error.status === 401) ctx.set('WWW-Authenticate', 'Bearer');
    ctx.body = errorBody(error, ctx.state.requestId);
  }
}

/** The error body of the contract, in which a field has its path and message alone. */
export function errorBody({ code, message, fields }: CodedError, requestId: string): object {
  const shown = fields && { fields: fields.map(({ path, message }) => ({ path, message })) };
  return { error: { code, message, request_id: requestId, doc_url: docUrl(code), ...shown } };
}
