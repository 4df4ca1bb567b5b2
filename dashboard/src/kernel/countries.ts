import { language } from './language.ts';

const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
/** The name of a country in the language of the page; the code where it has none. */
export function countryName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
