import { ConnectionError } from 'sequelize';
import { StoreHangs } from '../kernel/storeSilence.ts';

/** Codes of SQLite and PostgreSQL that say: not now, and not because of what was asked. */
const DOWN =
  /^(SQLITE_(BUSY|FULL|IOERR|CANTOPEN|LOCKED|READONLY)|ECONN\w+|EPIPE|ETIMEDOUT|57P0\d|08\d{3}|53\d{3}|25006)/;

/** Whether an error means that the store cannot be reached or written now. */
export function isStoreDown(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof StoreHangs) return true;
  if (!(error instanceof Error)) return false;
  const { code, parent } = error as { code?: unknown; parent?: unknown };
  if (typeof code === 'string' && DOWN.test(code)) return true;
  return (
    /Connection terminated|Query read timeout|The database is not open/.test(error.message) ||
    (parent !== undefined && isStoreDown(parent))
  );
}
