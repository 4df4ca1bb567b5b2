import { LRUCache } from 'lru-cache';
import { boundedText } from './boundedText.ts';

const MAX_LENGTH = 256;
const known = new LRUCache<string, { tag: string | null }>({ max: 5_000 });

/** The first language of an Accept-Language header that is accepted (`q` is not 0), lower-cased: `de-at`. */
export function firstLanguage(header: string | undefined): string | null {
  if (!header) return null;
  const text = boundedText(header, MAX_LENGTH);
  let found = known.get(text);
  if (found === undefined) {
    found = { tag: readFirst(text) };
    known.set(text, found);
  }
  return found.tag;
}

function readFirst(text: string): string | null {
  for (const entry of text.split(',')) {
    const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const refused = parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/i.test(parameter));
    if (!refused && /^[a-z]{1,8}(?:-[a-z0-9]{1,8}){0,7}$/i.test(tag)) return tag.toLowerCase();
  }
  return null;
}
