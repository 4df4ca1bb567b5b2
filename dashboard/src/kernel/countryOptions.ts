import { countryName } from './countries.ts';
import { COUNTRIES } from './countryCodes.ts';
import { language } from './language.ts';

/**
 * Every country, by name. A code in `written` that is not the code of a country, such as `UK`, comes after them with its name and
 * itself: a rule keeps the code as it was written, and matches the country that is meant.
 */
export function countryOptions(written: readonly string[] = []): { value: string; label: string }[] {
  options ??= COUNTRIES.map((value) => ({ value, label: countryName(value) })).sort((one, other) =>
    one.label.localeCompare(other.label, language),
  );
  const others = written.filter((code) => !COUNTRIES.includes(code));
  if (others.length === 0) return options;
  return [...options, ...others.map((value) => ({ value, label: namedCode(value) }))];
}

function namedCode(code: string): string {
  const known = code.toUpperCase();
  const name = countryName(known);
  return name === known ? code : `${name} (${code})`;
}

let options: { value: string; label: string }[] | undefined;
