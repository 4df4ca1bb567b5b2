import { readPreference } from './storage.ts';

/** Languages that the dashboard speaks; each has its folder below `texts/`. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language that somebody chose, else the first of the browser that the dashboard speaks, else English. */
export const language: Language = chooseLanguage([String(readPreference('language')), ...navigator.languages]);

function chooseLanguage(wanted: readonly string[]): Language {
  const spoken = wanted.map((tag) => tag.split('-')[0]).find((tag) => LANGUAGES.some((known) => known === tag));
  return (spoken as Language | undefined) ?? 'en';
}
