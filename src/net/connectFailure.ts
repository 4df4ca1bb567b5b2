/** Why no connection came about, by what the outside world did. */
export type ConnectProblem = 'dns' | 'connect' | 'tls' | 'timeout' | 'blocked_address';

/** No connection came about, by what the outside world did. */
export class ConnectFailure extends Error {
  readonly kind: ConnectProblem;

  constructor(kind: ConnectProblem, cause: unknown) {
    super(`No connection: ${cause instanceof Error ? cause.message : cause}`, { cause });
    this.kind = kind;
  }
}

/** Errors that say something of this machine or of our call, and nothing of whom we ask. */
const OURS = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'UND_ERR_INVALID_ARG', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED'];

/** Whether the fault is on our side, so that it must not count against others. */
export function isOurs(error: unknown): boolean {
  return OURS.includes(String((error as NodeJS.ErrnoException | null)?.code ?? ''));
}
