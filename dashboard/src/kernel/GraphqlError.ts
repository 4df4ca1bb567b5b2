/** A field of the input that was refused. Its path is that of the input, such as `input.routing.rules.0.destination`. */
export interface FieldProblem {
  path: string;
  message: string;
}

/** An operation that the server refused, or that did not reach it (`unreachable`). `code` is from the catalogue of the API. */
export class GraphqlError extends Error {
  readonly code: string;
  readonly fields: readonly FieldProblem[];
  /** To find the request in the server's log. */
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(
    message: string,
    details: {
      code: string;
      fields?: readonly FieldProblem[];
      requestId?: string | null;
      retryAfterSeconds?: number | null;
    },
  ) {
    super(message);
    this.name = 'GraphqlError';
    this.code = details.code;
    this.fields = details.fields ?? [];
    this.requestId = details.requestId ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
  }
}

/** The code of any error, for messages and decisions. */
export function codeOf(error: unknown): string {
  return error instanceof GraphqlError ? error.code : 'unexpected';
}
