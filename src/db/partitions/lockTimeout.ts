/**
 * For a transaction of PostgreSQL that needs a strong lock on a table in use: whoever waits for one keeps everybody waiting who
 * comes later, so it waits half a second at most.
 */
export const LOCK_TIMEOUT = "SET LOCAL lock_timeout = '500ms'";

/** Whether a statement ended because it waited longer for a lock than LOCK_TIMEOUT, or because of a deadlock. */
export function isLockTimeout(error: unknown): boolean {
  const { code, original } = error as { code?: unknown; original?: { code?: unknown } };
  return [code, original?.code].some((value) => value === '55P03' || value === '40P01');
}
