import { ConnectionError } from 'sequelize';
import { StoreUnresponsive } from '../kernel/storeResponse.ts';

/**
 * What an error of the store means for the work that met it. Every other error is a bug of ours, or a rule of the store that
 * was broken.
 * - `conflict`: the store rolled the transaction back because of another one. It runs again at once.
 * - `away`: the store cannot be reached or used for a moment. A request gets 503, a job waits. Outages are summed up in the log.
 * - `session`: the session is not in the state in which this process left it, as behind a proxy that mixes sessions up. The same
 *   as `away`, but the connection is closed, and the log shows each with its stack: it may be a bug of ours.
 */
export type FailureKind = 'conflict' | 'away' | 'session';

/**
 * Classes of SQLSTATEs of PostgreSQL, and single ones that differ from their class. The effect of a COMMIT that failed with
 * `away` is not known, so it is never repeated here: only a repeat with the same Idempotency-Key has one effect for certain.
 */
const SQLSTATES: Readonly<Record<string, FailureKind>> = {
  // Connection exceptions, also those of PgBouncer.
  '08': 'away',
  // Invalid transaction state.
  '25': 'session',
  // A standby after a failover, or default_transaction_read_only.
  '25006': 'away',
  // idle_in_transaction_session_timeout and transaction_timeout ended the session.
  '25P03': 'away',
  '25P04': 'away',
  // Rolled back: serialization failures, deadlocks. PostgreSQL reports the first only above READ COMMITTED, distributed stores always.
  '40': 'conflict',
  // Whether the statement was completed is unknown.
  '40003': 'away',
  // Insufficient resources: full disk, no memory, too many connections.
  '53': 'away',
  // lock_timeout of the server or the database.
  '55P03': 'away',
  // Operator intervention: shutdown, crash, starting up; 57014 is statement_timeout.
  '57': 'away',
  // Errors of the system around PostgreSQL: of its disk, of its files.
  '58': 'away',
};

/** Codes of SQLite, of sockets and of name servers. */
const OTHER_CODES =
  /^(SQLITE_(BUSY|CANTOPEN|FULL|IOERR|LOCKED|NOMEM|PERM|PROTOCOL|READONLY)|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/;

/** Errors without a code of their own: of pg, of its pool, of Sequelize, and of a database that is being switched. */
const BY_MESSAGE =
  /Connection terminated|is not queryable|Query read timeout|The database is not open|not currently accepting connections|timeout exceeded when trying to connect|timeout expired/;

/** Errors that were thrown instead of that of the store. */
const marked = new WeakMap<object, FailureKind>();

/** Has `failureOf` return `kind` for an error that was thrown instead of that of the store. */
export function markFailure(error: unknown, kind: FailureKind): void {
  if (typeof error === 'object' && error !== null) marked.set(error, kind);
}

/** What the error means if it is one of the store; null for every other error. */
export function failureOf(error: unknown): FailureKind | null {
  if (typeof error !== 'object' || error === null) return null;
  const known = marked.get(error) ?? failureOfCode(error as ServerError);
  if (known) return known;
  if (error instanceof ConnectionError || error instanceof StoreUnresponsive) return 'away';
  const { parent, original = parent } = error as { parent?: unknown; original?: unknown };
  return failureOf(original) ?? (error instanceof Error && BY_MESSAGE.test(error.message) ? 'away' : null);
}

/** An error as PostgreSQL sends it. */
export interface ServerError {
  code?: unknown;
  severity?: unknown;
}

/** The same by code and severity alone. */
export function failureOfCode({ code, severity }: ServerError): FailureKind | null {
  // The session has ended with it, so that nobody knows what became of a COMMIT.
  if (severity === 'FATAL' || severity === 'PANIC') return 'away';
  if (typeof code !== 'string') return null;
  const ofClass = code.length === 5 ? SQLSTATES[code.slice(0, 2)] : undefined;
  return SQLSTATES[code] ?? ofClass ?? (OTHER_CODES.test(code) ? 'away' : null);
}

/** Whether the store rolled a transaction back because of another one: it may run again. */
export function isConflict(error: unknown): boolean {
  return failureOf(error) === 'conflict';
}

/** Whether the store cannot be reached or used at the moment. */
export function isStoreDown(error: unknown): boolean {
  const kind = failureOf(error);
  return kind === 'away' || kind === 'session';
}
