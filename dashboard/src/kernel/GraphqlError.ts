/** A field of the input that was refused. Its path is that of the input, such as `input.routing.rules.0.destination`. */
export interface FieldProblem {
  path: string;
  /** A sentence of the server, in English, or in the language of the page: see `sayErrors`. */
  message: string;
  /** The rule that was broken, such as `maxLength`, and what it asks for. */
  rule?: string | null;
  limit?: unknown;
}

/** The field as forms call it: rules name it by its input, and services as REST spells it, such as `expires_at`. */
export function pathOf({ path }: FieldProblem): string {
  const [first = '', ...rest] = path.replace(/^input\./, '').split('.');
  return [first.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()), ...rest].join('.');
}

interface Words {
  field: (problem: FieldProblem) => string;
  /** What is said when the service does not answer. */
  away: () => string;
}

let words: Words = { field: ({ message }) => message, away: () => 'The service does not answer.' };

/** Gives the words for what is refused from now on. */
export function sayErrors(own: Words): void {
  words = own;
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
    super(details.code === 'unreachable' ? words.away() : message);
    this.name = 'GraphqlError';
    this.code = details.code;
    this.fields = (details.fields ?? []).map((problem) => ({ ...problem, message: words.field(problem) }));
    this.requestId = details.requestId ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
  }
}

/** The code of any error, for messages and decisions. */
export function codeOf(error: unknown): string {
  return error instanceof GraphqlError ? error.code : 'unexpected';
}
