import { isDeepStrictEqual } from 'node:util';
import { snakeCase } from '../kernel/snakeCase.ts';

/** What was different, by field as the wire spells it. */
export type AuditedChanges = Record<string, { from: unknown; to: unknown }>;

/** Characters of a value that are kept: to see what it was about, not to have it back. */
const LONGEST = 300;

/** What differs between two states of a thing, in these fields alone: secrets are never among them. */
export function auditedChanges<State extends object>(
  before: State,
  after: State,
  fields: readonly (keyof State & string)[],
): AuditedChanges {
  const changed = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return cutChanges(
    Object.fromEntries(changed.map((field) => [snakeCase(field), { from: before[field], to: after[field] }])),
  );
}

/** Changes with their long values cut; of JSON that is long the beginning of its text. */
export function cutChanges(changes: object): AuditedChanges {
  return Object.fromEntries(
    Object.entries(changes as AuditedChanges).map(([field, { from, to }]) => [field, { from: cut(from), to: cut(to) }]),
  );
}

function cut(value: unknown): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length <= LONGEST ? value : `${text.slice(0, LONGEST).toWellFormed()}…`;
}
