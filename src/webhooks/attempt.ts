import type { RequestProblem } from '../net/requestProblem.ts';

/** Why an attempt failed, as the API says it; `status` is any answer but 2xx. */
export type AttemptError = RequestProblem | 'status';

/** What came of one request to a receiver. It succeeded when `error` is null: a 2xx whose body broke off did not. */
export interface AttemptResult {
  /** Null when no answer came; set beside `error` when the answer broke off. */
  statusCode: number | null;
  /** Names in lower case; at most 50, values cut at 1 KiB. */
  responseHeaders: Record<string, string> | null;
  /** The first 4 KiB as text. */
  responseBody: string | null;
  error: AttemptError | null;
  /** Whole milliseconds from the call to the last byte. */
  durationMs: number;
  retryAfterSeconds: number | null;
}

/** A request that was made for a delivery, and what came of it. */
export interface MadeAttempt extends AttemptResult {
  url: string;
  /** The value of `SVC-Signature`. */
  signature: string;
}
