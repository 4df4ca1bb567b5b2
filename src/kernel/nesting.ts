/** Deeper than any payload of an app by far; what is deeper could overflow the stack of whoever walks it. */
export const MAX_NESTING = 64;

/** Never goes deeper than the limit, so that a hostile depth costs nothing. */
export function isDeeperThan(value: object, limit: number): boolean {
  if (limit === 0) return true;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (inner !== null && typeof inner === 'object' && isDeeperThan(inner, limit - 1)) return true;
  }
  return false;
}
