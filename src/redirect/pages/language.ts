import type { IncomingMessage } from 'node:http';
import accepts from 'accepts';
import { memoize } from '../../kernel/cache.ts';
import { de } from './texts/de.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import { ja } from './texts/ja.ts';
import type { PageTexts } from './texts/PageTexts.ts';

/** Texts by language; the first language is the default. */
export const TEXTS = { en, de, fr, es, ja } satisfies Record<string, PageTexts>;

/** A language of the pages. */
export type Language = keyof typeof TEXTS;

const LANGUAGES = Object.keys(TEXTS) as [Language, ...Language[]];

/** Browsers send a few dozen characters; the rest of a longer header is ignored. */
const MAX_HEADER_LENGTH = 256;

/** The best language for an Accept-Language header. */
export function chooseLanguage(acceptLanguage: string | undefined): Language {
  return bestLanguage(acceptLanguage?.slice(0, MAX_HEADER_LENGTH) ?? '*');
}

const bestLanguage = memoize<string, Language>((header) => {
  const request = { headers: { 'accept-language': header } } as IncomingMessage;
  return (accepts(request).language(LANGUAGES) || LANGUAGES[0]) as Language;
}, 1000);
