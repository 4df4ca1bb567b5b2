import type { IncomingMessage } from 'node:http';
import accepts from 'accepts';
import { LRUCache } from 'lru-cache';
import { TEXTS } from './texts/texts.ts';

/** The languages that pages speak; the first is taken when none of them is wanted. */
export type Language = keyof typeof TEXTS;

const LANGUAGES = Object.keys(TEXTS) as [Language, ...Language[]];

/** Browsers send some dozens of characters; a longer list is read as far as this. */
const MAX_HEADER_LENGTH = 256;

const chosen = new LRUCache<string, Language>({ max: 1000 });

/** The language of ours that an Accept-Language header likes best. */
export function chooseLanguage(acceptLanguage: string | undefined): Language {
  const header = acceptLanguage?.slice(0, MAX_HEADER_LENGTH) ?? '*';
  const known = chosen.get(header);
  if (known) return known;
  const request = { headers: { 'accept-language': header } } as IncomingMessage;
  const language = (accepts(request).language(LANGUAGES) || LANGUAGES[0]) as Language;
  chosen.set(header, language);
  return language;
}
