import { isDeepStrictEqual } from 'node:util';

export type Changes = Record<string, { from: unknown; to: unknown }>;

/** Fields that move by themselves or follow from others. */
const NOT_CHANGES = new Set(['id', 'project_id', 'created_at', 'updated_at', 'clicks', 'last_clicked_at']);
/** A change of these alone is no news for receivers. */
const QUIET = new Set(['title', 'notes', 'external_id']);

/** What differs between two presentations of a link. */
export function changesBetween(before: Record<string, unknown>, after: Record<string, unknown>): Changes {
  const changes: Changes = {};
  for (const [field, from] of Object.entries(before)) {
    const to = after[field];
    if (!NOT_CHANGES.has(field) && !isDeepStrictEqual(from, to)) changes[field] = { from, to };
  }
  return changes;
}

/** Whether `link.updated` is sent for these changes. */
export function isWorthTelling(changes: Changes): boolean {
  return Object.keys(changes).some((field) => !QUIET.has(field));
}
