import type { AttemptError } from './attempt.ts';

/** No connection came about, by what the outside world did. */
export class ConnectFailure extends Error {
  readonly kind: AttemptError;

  constructor(kind: AttemptError, cause: unknown) {
    super(`No connection: ${cause instanceof Error ? cause.message : cause}`, { cause });
    this.kind = kind;
  }
}

/** Errors that say something of this machine or of our call, and nothing of the receiver. */
const OURS = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'UND_ERR_INVALID_ARG', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED'];

const RESET = ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Whether the fault is on our side, so that it must not count against the receiver. */
export function isOurs(error: unknown): boolean {
  return OURS.includes(codeOf(error));
}

/** The word for what went wrong between the call and the last byte. Throws `error` on when the fault is ours. */
export function attemptError(error: unknown, deadline: AbortSignal): AttemptError {
  if (error instanceof ConnectFailure) return error.kind;
  if (deadline.aborted) return 'timeout';
  if (isOurs(error)) throw error;
  const code = codeOf(error);
  if (RESET.includes(code)) return 'reset';
  // Under one code: "other side closed" and "closed" for connections that end, "bad response", "bad upgrade" for answers.
  if (code === 'UND_ERR_SOCKET') return (error as Error).message.startsWith('bad') ? 'bad_response' : 'reset';
  // TLS 1.3 refuses a client without certificate only after the handshake.
  if (/^(ERR_SSL|ERR_TLS|EPROTO)/.test(code)) return 'tls';
  return 'bad_response';
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | null)?.code ?? '');
}
