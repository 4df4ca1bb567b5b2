/**
 * What can be wrong beside the codes of the API, which are strings too:
 * - `network_error`: the server was not reached
 * - `timeout`: it did not answer within ten seconds
 * - `bad_response`: something else answered, such as the sign-in page of a public network
 * - `invalid_options`: `init` was called with options that cannot work
 * - `invalid_event`: an event is no JSON or too large, and was dropped
 * - `queue_full`: the oldest events were dropped
 * - `storage_failed`: the storage cannot be read or written; all goes on in memory
 * - `callback_failed`: a listener of `onLink`, or a function that gives details, threw
 */
export type SvcErrorCode =
  | 'network_error'
  | 'timeout'
  | 'bad_response'
  | 'invalid_options'
  | 'invalid_event'
  | 'queue_full'
  | 'storage_failed'
  | 'callback_failed';

interface Details {
  /** HTTP; 0 where nothing was answered. */
  status?: number;
  /** By which the server's operator finds the request. */
  requestId?: string | null;
  retryAfterSeconds?: number | null;
  /** Every bad field of a request that was refused with `validation_failed`. */
  fields?: { path: string; message: string }[];
  /** The event that was dropped. */
  event?: Record<string, unknown>;
}

/** A refusal, or what else went wrong. `code` is one of the API (`invalid_key`) or of `SvcErrorCode`. */
export class SvcError extends Error {
  override readonly name = 'SvcError';
  readonly code: SvcErrorCode | (string & {});
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly fields: { path: string; message: string }[];
  readonly event: Record<string, unknown> | null;

  constructor(code: SvcErrorCode | (string & {}), message: string, details: Details = {}) {
    super(message);
    this.code = code;
    this.status = details.status || 0;
    this.requestId = details.requestId || null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.fields = details.fields || [];
    this.event = details.event || null;
  }
}
