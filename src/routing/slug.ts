import { randomInt } from 'node:crypto';

const SLASH = 0x2f;
const MAX_LENGTH = 190;
/** A path longer than this cannot be a slug even if each of its 190 characters is percent-encoded. */
const MAX_RAW_LENGTH = 600;
const ALPHABET = /^[A-Za-z0-9\-_./~]+$/;
const DOT_SEGMENT = /(?:^|\/)\.{1,2}(?:\/|$)/;

/** What is wrong with a slug, as a sentence; null if it is valid. */
export function slugProblem(slug: string): string | null {
  if (slug === '') return 'A slug must have at least one character.';
  if (slug.length > MAX_LENGTH) return `A slug must have at most ${MAX_LENGTH} characters.`;
  if (!ALPHABET.test(slug)) return 'A slug may contain only letters, digits and - _ . / ~';
  if (slug.startsWith('/') || slug.endsWith('/')) return 'A slug must not begin or end with a slash.';
  if (slug.includes('//')) return 'A slug must not contain two slashes in a row.';
  if (DOT_SEGMENT.test(slug)) return 'A slug must not contain a segment "." or "..".';
  if (slug === '.well-known' || slug.startsWith('.well-known/')) return 'A slug must not begin with ".well-known".';
  return null;
}

/**
 * The slug in a raw request path (without its query); null if it cannot be one. Escapes are decoded once, and an encoded
 * slash is refused, so that no two slugs share a path.
 */
export function slugFromPath(path: string): string | null {
  if (path.length > MAX_RAW_LENGTH || path.charCodeAt(0) !== SLASH) return null;
  const raw = path.slice(1, path.length > 1 && path.charCodeAt(path.length - 1) === SLASH ? -1 : undefined);
  const slug = raw.includes('%') ? decodeOnce(raw) : raw;
  return slug === null || slugProblem(slug) !== null ? null : slug;
}

/** A path with more segments than this is not tried piece by piece. */
const MAX_SEGMENTS = 8;

/**
 * The slugs that a raw request path begins with, longest first, each with the rest of the path from its `/` on. The link
 * of such a slug answers for the path only if it forwards paths.
 */
export function* leadingSlugs(path: string): Generator<{ slug: string; rest: string }> {
  let tried = 0;
  for (let end = path.lastIndexOf('/'); end > 0 && tried < MAX_SEGMENTS; end = path.lastIndexOf('/', end - 1)) {
    tried += 1;
    const slug = slugFromPath(path.slice(0, end));
    if (slug !== null) yield { slug, rest: path.slice(end) };
  }
}

function decodeOnce(raw: string): string | null {
  if (/%2f/i.test(raw)) return null;
  try {
    return decodeURIComponent(raw);
  } catch {
    return null;
  }
}

/** Without 0 O o and 1 l I, which are easily confused when a slug is read aloud or copied from paper. */
const GENERATED_ALPHABET = '23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
/** 56^7 is 1.7 trillion: collisions are rare even among many millions of slugs. */
const GENERATED_LENGTH = 7;

/** Seven random characters without look-alikes. Not a secret, but not enumerable either. */
export function generateSlug(): string {
  let slug = '';
  for (let at = 0; at < GENERATED_LENGTH; at++) slug += GENERATED_ALPHABET[randomInt(GENERATED_ALPHABET.length)];
  return slug;
}
