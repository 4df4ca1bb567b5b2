import { isDeepStrictEqual } from 'node:util';
import { UTM_FIELDS } from '../routing/utm.ts';

type Fields = Record<string, unknown>;

/**
 * The fields of a row that differ from those of a link, both in the spelling of REST: the import of an unchanged export
 * changes nothing and records nothing.
 */
export function changedFields(row: Fields, link: Fields): Fields {
  const changed: Fields = {};
  for (const [field, value] of Object.entries(row)) {
    if (field === 'id') continue;
    const next = field === 'utm' ? mergedUtm(value, link.utm) : value;
    if (!isSame(field, next, link)) changed[field] = next;
  }
  return changed;
}

function isSame(field: string, value: unknown, link: Fields): boolean {
  const current = link[field];
  switch (field) {
    case 'password':
      // A hash cannot be compared with a text: a link that has a password keeps it.
      return link.password_protected === true;
    case 'archived':
      return value === (link.archived_at !== null);
    case 'tags':
      return isDeepStrictEqual(tagSet(value), tagSet(current));
    case 'starts_at':
    case 'expires_at':
      return timeOf(value) === timeOf(current);
    case 'utm':
    case 'preview':
      return isDeepStrictEqual(withoutNulls(value), withoutNulls(current));
    case 'data':
      return isDeepStrictEqual(value ?? {}, current ?? {});
    default:
      return isDeepStrictEqual(value || null, current || null);
  }
}

function tagSet(value: unknown): string[] {
  return [...new Set(((value ?? []) as string[]).map((name) => name.trim().toLowerCase()))].sort();
}

function timeOf(value: unknown): number | null {
  return value ? Date.parse(String(value)) : null;
}

function withoutNulls(value: unknown): Fields | null {
  if (value === null || typeof value !== 'object') return null;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null && inner !== '');
  return kept.length > 0 ? Object.fromEntries(kept) : null;
}

type Utm = Record<string, unknown>;

/** The campaign parameters of a row over those of its link, so that a missing column changes nothing; null when all are empty. */
export function mergedUtm(ofRow: unknown, ofLink: unknown): Utm | null {
  const utm = { ...(ofLink as Utm | null), ...(ofRow as Utm | null) };
  return UTM_FIELDS.some((field) => utm[field]) ? utm : null;
}
