const SLASH = 0x2f;
const MAX_LENGTH = 190;
/** A path longer than this cannot be a slug even if each of its 190 characters is percent-encoded. */
const MAX_RAW_LENGTH = 600;
const ALPHABET = /^[A-Za-z0-9\-_./~]+$/;
const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:\/|$)/;

/** What is wrong with a slug, as a sentence; null when nothing is. */
export function slugProblem(slug: string): string | null {
  if (slug === '') return 'A slug has at least one character.';
  if (slug.length > MAX_LENGTH) return `A slug has at most ${MAX_LENGTH} characters.`;
  if (!ALPHABET.test(slug)) return 'A slug is made of letters, digits and - _ . / ~ alone.';
  if (slug.startsWith('/') || slug.endsWith('/')) return 'A slug neither begins nor ends with a slash.';
  if (slug.includes('//')) return 'A slug has no two slashes in a row.';
  if (DOT_SEGMENT.test(slug)) return 'A slug has no segment "." or "..".';
  if (slug === '.well-known' || slug.startsWith('.well-known/')) return 'A slug does not begin with ".well-known".';
  return null;
}

/**
 * The slug that a raw request path (without its query) asks for; null for what cannot be one. Percent-encodings are
 * decoded once, and an encoded slash is none: two different paths never become one by decoding twice.
 */
export function slugFromPath(path: string): string | null {
  if (path.length > MAX_RAW_LENGTH || path.charCodeAt(0) !== SLASH) return null;
  const raw = path.slice(1, path.length > 1 && path.charCodeAt(path.length - 1) === SLASH ? -1 : undefined);
  const slug = raw.includes('%') ? decodeOnce(raw) : raw;
  return slug === null || slugProblem(slug) !== null ? null : slug;
}

function decodeOnce(raw: string): string | null {
  if (/%2f/i.test(raw)) return null;
  try {
    return decodeURIComponent(raw);
  } catch {
    return null;
  }
}
