/** SQLSTATE classes "data exception", "integrity constraint violation", "program limit exceeded", and SQLite's words. */
const BAD_DATA = /^(22|23|54)[0-9A-Z]{3}$|^SQLITE_(CONSTRAINT|MISMATCH|RANGE|TOOBIG)/;

/**
 * Whether an error says that what was to be written cannot be written, now or ever. Everything else, also what nobody
 * has thought of, counts as trouble of the store: better to wait too long than to reject sound clicks.
 */
export function isBadData(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof TypeError) return true;
  if (!(error instanceof Error)) return false;
  const { code, parent } = error as { code?: unknown; parent?: unknown };
  return (typeof code === 'string' && BAD_DATA.test(code)) || (parent !== undefined && isBadData(parent));
}
