import { language } from './language.ts';

const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Regions that `Intl` names and that no visitor can come from: groups of countries, and codes for tests. */
const NOT_COUNTRIES = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ', 'AC', 'CP', 'DG', 'EA', 'IC', 'TA', 'CQ']);

/** The name of a country in the language of the page; the code where it has none. */
export function countryName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** Every country, by name. */
export function countryOptions(): { value: string; label: string }[] {
  options ??= LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    .filter((code) => !NOT_COUNTRIES.has(code) && names.of(code) !== undefined)
    .map((value) => ({ value, label: countryName(value) }))
    .sort((one, other) => one.label.localeCompare(other.label, language));
  return options;
}

let options: { value: string; label: string }[] | undefined;
