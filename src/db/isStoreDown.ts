import { ConnectionError } from 'sequelize';
import { StoreUnresponsive } from '../kernel/storeResponse.ts';

/** Error codes of SQLite and PostgreSQL for a temporary failure that is not caused by the statement. */
const DOWN =
  /^(SQLITE_(BUSY|FULL|IOERR|CANTOPEN|LOCKED|READONLY)|ECONN\w+|EPIPE|ETIMEDOUT|57P0\d|08\d{3}|53\d{3}|25006)/;

/** Errors without a code of their own: of pg, of its pool, of Sequelize, and of a database that is being switched. */
const DOWN_BY_MESSAGE =
  /Connection terminated|is not queryable|Query read timeout|The database is not open|not currently accepting connections|timeout exceeded when trying to connect|timeout expired/;

/** Whether an error means that the store cannot be reached or written at the moment. */
export function isStoreDown(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof StoreUnresponsive) return true;
  if (!(error instanceof Error)) return false;
  const { code, parent } = error as { code?: unknown; parent?: unknown };
  if (typeof code === 'string' && DOWN.test(code)) return true;
  return DOWN_BY_MESSAGE.test(error.message) || (parent !== undefined && isStoreDown(parent));
}
