import type { SvcError } from '../sdk/client/index.ts';
import { ADVICE } from './advice.ts';
import { CliError } from './errors.ts';
import { EXIT, type ExitName } from './exitCodes.ts';

/** An error, told. */
export interface Report {
  exitCode: number;
  /** For people. */
  lines: string[];
  /** For programs: the error object of the API, or one like it. */
  json: string;
}

/** What of an error is told, and the exit code that it means. Never a key. */
export function reportOf(error: unknown): Report {
  if (error instanceof CliError) return told(EXIT[error.exit], error.code, error.message, { advice: error.advice });
  if (isSvcError(error)) {
    const { code, message, fields, requestId, body } = error;
    const report = told(EXIT[exitOf(error)], code, message, {
      fields,
      advice: adviceFor(error),
      requestId,
    });
    return isApiError(body) ? { ...report, json: body } : report;
  }
  if (isUsage(error)) return told(EXIT.usage, 'usage', error.message.replace(/^error: /, ''), {});
  if ((error as Error)?.name === 'AbortError') return told(EXIT.interrupted, 'interrupted', 'Interrupted.', {});
  const { message = String(error), code } = (error ?? {}) as NodeJS.ErrnoException;
  return told(EXIT.failed, code ?? 'failed', message, {});
}

/** Node loads the client only with the first request: its class is not at hand. */
function isSvcError(error: unknown): error is SvcError {
  return error instanceof Error && /^Svc(Connection)?Error$/.test(error.name);
}

/** Commander's errors, told by their code: the bundle shortens the names of classes. */
function isUsage(error: unknown): error is Error {
  return error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith('commander.');
}

function exitOf({ name, status, code }: SvcError): ExitName {
  if (name === 'SvcConnectionError') return code === 'bad_response' && status === 200 ? 'failed' : 'unreachable';
  if (code === 'invalid_options') return 'usage';
  if (status === 401 || code === 'publishable_key_refused') return 'signedOut';
  return status === 404 ? 'notFound' : 'failed';
}

function adviceFor({ code, retryAfterSeconds, advice: own }: SvcError & { advice?: string | null }): string | null {
  const advice = own ?? ADVICE[code] ?? null;
  return code === 'rate_limited' && retryAfterSeconds ? `Try again in ${retryAfterSeconds} s.` : advice;
}

function isApiError(body: string): boolean {
  try {
    return typeof JSON.parse(body).error.code === 'string';
  } catch {
    return false;
  }
}

interface Details {
  fields?: { path: string; message: string }[];
  advice?: string | null;
  requestId?: string | null;
}

function told(exitCode: number, code: string, message: string, { fields = [], advice, requestId }: Details): Report {
  return {
    exitCode,
    lines: [
      `error: ${code === 'usage' ? '' : `${code}: `}${message}`,
      // The message of a single field names it already.
      ...(fields.length > 1 ? fields.map(({ path, message: says }) => `  ${path}: ${says}`) : []),
      ...(advice ? [advice] : []),
      ...(requestId ? [`request ${requestId}`] : []),
    ],
    json: JSON.stringify({ error: { code, message, ...(fields.length > 0 && { fields }) } }),
  };
}
