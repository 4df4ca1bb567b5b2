import type { SvcAnswer } from './SvcAnswer.ts';
import { SvcError } from './SvcError.ts';

/** Options of every method. */
export interface CallOptions {
  /** Ends the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  timeoutSeconds?: number | undefined;
  retries?: number | undefined;
  /** Told about the answer as it came: status, headers, text. */
  onAnswer?: ((answer: SvcAnswer) => void) | undefined;
}

/** Of methods that can be repeated with a key: what was done once under it is answered, and not done again. */
export interface Idempotent {
  /** A random one by default. Your own lets a program that was stopped go on where it was. */
  idempotencyKey?: string | undefined;
}

/** Of methods that can say what would happen. */
export interface Rehearsed {
  /** Answers what would happen and keeps nothing; ids in the answer are not kept either. */
  dryRun?: boolean | undefined;
}

/** Text or bytes of a file. Streams are read to their end before they are sent, so that they can be sent again. */
export type FileBody = string | Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<string | Uint8Array>;

/** What a request says. */
export interface Ask extends CallOptions, Idempotent, Rehearsed {
  /** Values of the `{variables}` in the path. */
  variables?: Record<string, string> | undefined;
  /** What is null or undefined is left out; lists are joined with commas. */
  query?: object | undefined;
  /** Sent as JSON; with `contentType` as it is. */
  body?: unknown;
  /** The media type of a `FileBody`. */
  contentType?: string | undefined;
  headers?: Record<string, string> | undefined;
  /** The body is read by you: `answer.stream`. */
  isStreamed?: boolean | undefined;
}

export interface BuiltRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array | Blob | undefined;
}

/** The same on every attempt: also its idempotency key. */
export async function buildRequest(target: { method: string; path: string }, ask: Ask): Promise<BuiltRequest> {
  const method = target.method.toUpperCase();
  const headers: Record<string, string> = {};
  if (ask.idempotencyKey !== undefined) headers['Idempotency-Key'] = ask.idempotencyKey;
  else if (method === 'POST') headers['Idempotency-Key'] = crypto.randomUUID();
  if (ask.body !== undefined) headers['Content-Type'] = ask.contentType ?? 'application/json';
  return {
    method,
    path: pathOf(target.path, ask),
    headers: { ...headers, ...ask.headers },
    body: await bodyOf(ask),
  };
}

function pathOf(template: string, { variables = {}, query = {}, dryRun }: Ask): string {
  if (!template.startsWith('/')) throw new SvcError('invalid_options', 'A path begins with a slash: /api/v1/links.');
  const path = template.replace(/\{(\w+)\}/g, (_, name) => segmentOf(name, variables[name]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, ...(dryRun ? { dry_run: true } : {}) })) {
    if (value !== null && value !== undefined) search.append(name, textOf(value));
  }
  if (search.size === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${search}`;
}

/** Of nothing, or of dots, `fetch` would make the path of another operation. */
function segmentOf(name: string, value: unknown): string {
  const text = typeof value === 'string' ? value : '';
  if (text !== '' && text !== '.' && text !== '..') return encodeURIComponent(text);
  throw new SvcError('invalid_options', `${name} must be an id, and is ${JSON.stringify(value) ?? 'missing'}.`);
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}

async function bodyOf({ body, contentType }: Ask): Promise<BuiltRequest['body']> {
  if (body === undefined) return undefined;
  if (contentType === undefined) return JSON.stringify(body);
  if (typeof body === 'string' || body instanceof Uint8Array || body instanceof Blob) return body;
  const parts: (string | Uint8Array<ArrayBuffer>)[] = [];
  for await (const part of body as AsyncIterable<string | Uint8Array<ArrayBuffer>>) parts.push(part);
  return new Blob(parts);
}
