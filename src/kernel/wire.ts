/** `linkId` → `link_id`: how REST, columns and (in capitals) settings spell the names of the code. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The deepest nesting of a JSON value. Far deeper than real payloads; deeper ones could overflow the stack of a walk. */
export const MAX_NESTING = 64;

/** Whether a value nests deeper than `limit`. Stops there, so that hostile depth costs nothing. */
export function isDeeperThan(value: object, limit: number): boolean {
  if (limit === 0) return true;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (inner !== null && typeof inner === 'object' && isDeeperThan(inner, limit - 1)) return true;
  }
  return false;
}
