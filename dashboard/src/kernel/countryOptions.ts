import { countryName } from './countries.ts';
import { COUNTRIES } from './countryCodes.ts';
import { language } from './language.ts';

/** Every country, by name. */
export function countryOptions(): { value: string; label: string }[] {
  options ??= COUNTRIES.map((value) => ({ value, label: countryName(value) })).sort((one, other) =>
    one.label.localeCompare(other.label, language),
  );
  return options;
}

let options: { value: string; label: string }[] | undefined;
