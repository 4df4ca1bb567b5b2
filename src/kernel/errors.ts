/** Every error code of the API, with its HTTP status. Types, OpenAPI document and GraphQL are derived from this table. */
export const ERROR_STATUS = {
  invalid_json: 400,
  invalid_request: 400,
  invalid_token: 400,
  missing_key: 401,
  invalid_key: 401,
  invalid_credentials: 401,
  not_signed_in: 401,
  second_factor_required: 401,
  publishable_key_refused: 403,
  secret_key_refused: 403,
  insufficient_scope: 403,
  team_read_only: 403,
  account_limit_reached: 403,
  email_unconfirmed: 403,
  account_deleted: 403,
  sign_up_closed: 403,
  wrong_account: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  slug_taken: 409,
  conflict: 409,
  idempotency_in_progress: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  destination_refused: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** One invalid field; `path` is spelled as the caller spells it (`routing.rules.0.destination`). */
export interface FieldProblem {
  path: string;
  message: string;
  /** The keyword of the rule that was broken, such as `maxLength`; unset where a service found the problem. */
  rule?: string | null;
  /** What the rule demands: its number, the name of a format, or the words that are allowed. */
  limit?: unknown;
  /** Set where this stands for so many further problems, which are not listed. */
  further?: number;
}

/** An expected error that is safe to show to the caller. All other errors are masked as `internal_error`. */
export class CodedError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldProblem[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, more: { fields?: FieldProblem[]; retryAfterSeconds?: number } = {}) {
    super(message);
    this.name = 'CodedError';
    this.code = code;
    this.fields = more.fields;
    this.retryAfterSeconds = more.retryAfterSeconds;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** 404 with the same message whether the object does not exist or belongs to another project. */
export function notFound(what: string): CodedError {
  return new CodedError('not_found', `There is no such ${what}.`);
}

/** 405 with the methods that are allowed. */
export function methodNotAllowed(method: string, allowed: string[]): CodedError {
  return new CodedError('method_not_allowed', `${method} is not allowed here. Use ${allowed.join(', ')}.`);
}

/**
 * Waits for all checks and returns their results. If some of them throw `validation_failed`, it throws one such error with
 * the invalid fields of all of them.
 */
export async function checkAll<Results extends readonly unknown[]>(
  checks: {
    [Index in keyof Results]: Promise<Results[Index]>;
  },
): Promise<Results> {
  const settled = await Promise.allSettled(checks);
  const refusals = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  const other = refusals.find((reason) => !(reason instanceof CodedError && reason.fields));
  if (other) throw other;
  if (refusals.length > 0) throw validationFailed(refusals.flatMap((reason: CodedError) => reason.fields ?? []));
  return settled.map((result) => (result as PromiseFulfilledResult<unknown>).value) as unknown as Results;
}

/** As many problems are listed: nobody reads more, and an answer must not grow with what was sent. */
export const MAX_PROBLEMS = 50;

/** The problems as they are listed: of many the first ones, and then how many more there are. `left`: those that nobody looked at. */
export function listedProblems(problems: readonly FieldProblem[], left = 0): FieldProblem[] {
  const single = problems.filter(({ further }) => further === undefined);
  const further = problems.reduce((sum, problem) => sum + (problem.further ?? 0), left);
  if (single.length + further <= MAX_PROBLEMS) return single;
  const listed = single.slice(0, MAX_PROBLEMS - 1);
  const more = single.length - listed.length + further;
  return [...listed, { path: '', message: `There are ${more} more problems, which are not listed.`, further: more }];
}

/** 422 with every invalid field, of many the first ones and how many more there are. */
export function validationFailed(problems: readonly FieldProblem[]): CodedError {
  const fields = listedProblems(problems);
  const summary = fields.map((field) => (field.path ? `${field.path}: ${field.message}` : field.message));
  const isCut = fields.at(-1)?.further !== undefined;
  // First, because the message is cut.
  const ordered = isCut ? [summary.at(-1), ...summary.slice(0, -1)] : summary;
  return new CodedError('validation_failed', ordered.join(' ').slice(0, 2000), { fields });
}
