import { ConnectFailure, type ConnectProblem, isOurs } from './connectFailure.ts';

/** Why a request got no whole answer, by what the outside world did. */
export type RequestProblem = ConnectProblem | 'reset' | 'bad_response';

const RESET = ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'];

/** The word for what went wrong between the call and the last byte. Throws `error` on when the fault is ours. */
export function requestProblem(error: unknown, deadline: AbortSignal): RequestProblem {
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
