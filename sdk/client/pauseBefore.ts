import { SvcConnectionError, type SvcError } from './SvcError.ts';

/** Longer than this nobody is let wait: the error says when to ask again. */
const LONGEST_SECONDS = 60;

/** The server, or what stands in front of it, is not there at the moment. */
const AWAY = [502, 503, 504];

/** GET changes nothing, PUT says what shall be, and POST comes with a key by which the server knows it again. */
const REPEATABLE = ['GET', 'HEAD', 'PUT', 'POST'];

/**
 * Milliseconds before a request is sent again, or null where the error stands. `failures`: how often it has failed, from 1.
 * - 429: nothing was done, so that every method may come again when the server says
 * - no connection: nothing was sent; PATCH and DELETE come once more, the others up to `retries` times
 * - a connection that broke, no answer in time, 502, 503, 504, or an earlier attempt that is still at work: what is
 *   safe to repeat comes again; PATCH and DELETE may have been done, and do not
 */
export function pauseBefore(error: SvcError, method: string, failures: number, retries: number): number | null {
  if (failures > retries) return null;
  const isRepeatable = REPEATABLE.includes(method);
  const { code, status, retryAfterSeconds } = error;
  if (code === 'connection_refused') return isRepeatable || failures === 1 ? backOffMs(failures) : null;
  const isMomentary = status === 429 || (isRepeatable && (AWAY.includes(status) || isBroken(error)));
  if (!isMomentary || (retryAfterSeconds ?? 0) > LONGEST_SECONDS) return null;
  return Math.max((retryAfterSeconds ?? 0) * 1000, backOffMs(failures));
}

function isBroken(error: SvcError): boolean {
  if (error.code === 'idempotency_in_progress') return true;
  return error instanceof SvcConnectionError && (error.code === 'connection_failed' || error.code === 'timeout');
}

/** Half a second, doubled each time to eight, with a random part so that many clients do not come back at once. */
function backOffMs(failures: number): number {
  return Math.min(8000, 500 * 2 ** (failures - 1)) * (0.75 + Math.random() / 2);
}
