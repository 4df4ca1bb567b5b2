/** The values that are not those below them. */
export function changedValues<Values extends object>(below: Values, values: Partial<Values>): Partial<Values> {
  const isOther = (name: string) => !isSame(values[name as keyof Values], below[name as keyof Values]);
  return Object.fromEntries(Object.entries(values).filter(([name]) => isOther(name))) as Partial<Values>;
}

/**
 * The kept values that a form can show: another version of the product may have kept them, in another shape. The others are
 * left out one by one.
 */
export function fitting<Values extends object>(kept: unknown, initial: Values): Partial<Values> {
  const values = Object.entries(objectOrNull(kept) ?? {});
  return Object.fromEntries(
    values.filter(([name, value]) => name in initial && hasShapeOf(value, initial[name as keyof Values])),
  ) as Partial<Values>;
}

/** Whether two values are the same, null and undefined being one. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

/** An object; null for everything else. */
export function objectOrNull(wire: unknown): Record<string, unknown> | null {
  return typeof wire === 'object' && wire !== null && !Array.isArray(wire) ? (wire as Record<string, unknown>) : null;
}

function hasShapeOf(value: unknown, sample: unknown): boolean {
  if (Array.isArray(sample) || Array.isArray(value)) return Array.isArray(sample) && Array.isArray(value);
  const [parts, wanted] = [objectOrNull(value), objectOrNull(sample)];
  if (!parts || !wanted) return sample === null || (value !== null && typeof value === typeof sample);
  // What a value was read from may be nothing, and has a shape of its own.
  return Object.entries(wanted).every(
    ([name, part]) => name in parts && (name === 'origin' || hasShapeOf(parts[name], part)),
  );
}
