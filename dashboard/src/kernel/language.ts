/** Languages that the dashboard speaks; each has its folder below `texts/`. */
export const LANGUAGES = ['en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The first language of the browser that the dashboard speaks, else English. */
export const language: Language = chooseLanguage(navigator.languages);

function chooseLanguage(wanted: readonly string[]): Language {
  const spoken = wanted.map((tag) => tag.split('-')[0]).find((tag) => LANGUAGES.some((known) => known === tag));
  return (spoken as Language | undefined) ?? 'en';
}
