/** Deeper than any payload of an app by far; what is deeper could overflow the stack of whoever walks it. */
export const MAX_NESTING = 64;

/** Goes level by level, so that a hostile depth costs memory of the body's size and no stack. */
export function isDeeperThan(value: object, limit: number): boolean {
  let level: object[] = [value];
  for (let depth = 0; depth < limit; depth += 1) {
    level = level.flatMap((entry) =>
      Object.values(entry).filter((inner) => inner !== null && typeof inner === 'object'),
    );
    if (level.length === 0) return false;
  }
  return true;
}
