import type { ErrorCode, FieldProblem } from './types.ts';

/**
 * What can be wrong beside the codes of the API:
 * - `connection_refused`: nobody listens there, or the name is not known; nothing was sent
 * - `connection_failed`: the connection broke
 * - `timeout`: there was no answer in time
 * - `bad_response`: something else answered, such as a proxy or a sign-in page
 * - `invalid_options`: the client or a method was called with what cannot work; nothing was sent
 */
export type ClientErrorCode =
  | 'connection_refused'
  | 'connection_failed'
  | 'timeout'
  | 'bad_response'
  | 'invalid_options';

/** Later servers may have further codes. */
export type SvcErrorCode = ErrorCode | ClientErrorCode | (string & Record<never, never>);

interface Details {
  status?: number;
  requestId?: string | null;
  retryAfterSeconds?: number | null;
  docUrl?: string | null;
  fields?: FieldProblem[];
  body?: string;
  cause?: unknown;
}

/** A refusal of the server, or a call that cannot work. */
export class SvcError extends Error {
  override readonly name: string = 'SvcError';
  readonly code: SvcErrorCode;
  /** The HTTP status; 0 where nothing was answered. */
  readonly status: number;
  /** By which the server's operator finds the request. */
  readonly requestId: string | null;
  /** When to ask again. */
  readonly retryAfterSeconds: number | null;
  /** Where the code is explained. */
  readonly docUrl: string | null;
  /** Every bad field of a request that was refused with `validation_failed`. */
  readonly fields: FieldProblem[];
  /** The text that was answered, as it came. */
  readonly body: string;

  constructor(code: SvcErrorCode, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.status = details.status ?? 0;
    this.requestId = details.requestId ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.docUrl = details.docUrl ?? null;
    this.fields = details.fields ?? [];
    this.body = details.body ?? '';
  }
}

/** The server was not reached, or what came is no answer of it. */
export class SvcConnectionError extends SvcError {
  override readonly name = 'SvcConnectionError';
}

/** The error that an answer with such a status stands for. */
export function errorOf(status: number, headers: Headers, body: string): SvcError {
  const error = errorIn(body);
  const details = {
    status,
    body,
    requestId: error?.request_id ?? headers.get('X-Request-Id'),
    retryAfterSeconds: secondsOf(headers.get('Retry-After')),
  };
  if (!error) {
    const to = headers.get('Location');
    const message = `Something that is not svc answered with ${status}${to ? `, and refers to ${to}` : ''}. Check the url.`;
    return new SvcConnectionError('bad_response', message, details);
  }
  return new SvcError(error.code, error.message, { ...details, docUrl: error.doc_url, fields: error.fields });
}

// biome-ignore lint/suspicious/noExplicitAny: whatever answers
function errorIn(body: string): any {
  try {
    const { error } = JSON.parse(body);
    return typeof error?.code === 'string' ? error : null;
  } catch {
    return null;
  }
}

/** Proxies may say a date in the place of seconds. */
function secondsOf(header: string | null): number | null {
  if (!header) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

/** What `fetch` threw. */
export function connectionError(thrown: unknown, origin: string): SvcConnectionError {
  const reasons = [...reasonsIn(thrown)];
  const text = reasons.find((reason) => reason !== 'fetch failed') ?? 'no reason was given';
  return reasons.some((reason) => NOTHING_SENT.test(reason))
    ? new SvcConnectionError('connection_refused', `${origin} was not reached: ${text}.`, { cause: thrown })
    : new SvcConnectionError('connection_failed', `The connection to ${origin} broke: ${text}.`, { cause: thrown });
}

/** As Node, Deno, Bun and workers spell it. */
const NOTHING_SENT =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|connection ?refused|dns error|FailedToOpenSocket/i;

/** The codes and messages of an error and of those that caused it. */
function* reasonsIn(thrown: unknown, depth = 0): Generator<string> {
  if (!(thrown instanceof Error) || depth > 4) return;
  const { code, errors, cause } = thrown as Error & { code?: unknown; errors?: unknown[] };
  if (thrown.message) yield thrown.message;
  if (typeof code === 'string') yield code;
  for (const inner of [...(errors ?? []), cause]) yield* reasonsIn(inner, depth + 1);
}
