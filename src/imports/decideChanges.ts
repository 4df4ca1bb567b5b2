import { isDeepStrictEqual } from 'node:util';
import { wholeUtm } from './wholeUtm.ts';

type Fields = Record<string, unknown>;

/**
 * The fields of a row that would change a link; both as on the wire. What is as it was is left out, so that the import
 * of an export changes nothing and tells nobody.
 */
export function changedFields(row: Fields, link: Fields): Fields {
  const changed: Fields = {};
  for (const [field, given] of Object.entries(row)) {
    if (field === 'id') continue;
    const value = field === 'utm' ? wholeUtm(given, link.utm) : given;
    if (!isSame(field, value, link)) changed[field] = value;
  }
  return changed;
}

function isSame(field: string, value: unknown, link: Fields): boolean {
  const current = link[field];
  switch (field) {
    case 'password':
      // What it is cannot be compared: a link that has one keeps it.
      return link.password_protected === true;
    case 'archived':
      return value === (link.archived_at !== null);
    case 'tags':
      return isDeepStrictEqual(tagSet(value), tagSet(current));
    case 'starts_at':
    case 'expires_at':
      return momentOf(value) === momentOf(current);
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

function momentOf(value: unknown): number | null {
  return value ? Date.parse(String(value)) : null;
}

function withoutNulls(value: unknown): Fields | null {
  if (value === null || typeof value !== 'object') return null;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null && inner !== '');
  return kept.length > 0 ? Object.fromEntries(kept) : null;
}
