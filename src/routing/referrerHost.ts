import { LRUCache } from 'lru-cache';
import { boundedText } from './boundedText.ts';

const MAX_LENGTH = 512;
const known = new LRUCache<string, { host: string | null }>({ max: 10_000 });

/** The host of a Referer header without its port, lower-cased; for `android-app://com.example` the package. */
export function referrerHost(header: string | undefined): string | null {
  if (!header) return null;
  const text = boundedText(header, MAX_LENGTH);
  let found = known.get(text);
  if (found === undefined) {
    found = { host: readHost(text) };
    known.set(text, found);
  }
  return found.host;
}

const SHAPE = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#\\@]*@)?(\[[0-9a-f:.]+\]|[a-z0-9._-]{1,253}?)\.?(?::\d*)?(?:[/?#\\]|$)/i;

function readHost(text: string): string | null {
  return SHAPE.exec(text)?.[1]?.toLowerCase() ?? null;
}
