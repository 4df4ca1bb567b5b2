import type { AnalyticsDimension } from '../kernel/addresses.ts';
import { withoutScheme } from '../kernel/addresses.ts';
import { countryName } from '../kernel/countries.ts';
import { language } from '../kernel/language.ts';
import { t } from '../texts/index.ts';

const languages = new Intl.DisplayNames(language, { type: 'language', fallback: 'code' });

/** Names of values that are ids, as answers of this visit gave them: a filter may hide the only row that has the name. */
const labels = new Map<string, string>();

export function rememberLabels(rows: readonly { key: string | null; label: string | null }[]): void {
  for (const { key, label } of rows) if (key !== null && label !== null) labels.set(key, label);
}

/** A value of a dimension as people call it; null is what is not known. */
export function nameOf(dimension: AnalyticsDimension, key: string | null, label?: string | null): string {
  if (key === null) return t.common.unknown;
  const known = label ?? (dimension === 'link' ? labels.get(key) : null);
  if (known) return withoutScheme(known);
  switch (dimension) {
    case 'country':
      return countryName(key);
    case 'platform':
      return t.states.platforms[key as keyof typeof t.states.platforms] ?? key;
    case 'device':
      return t.states.devices[key as keyof typeof t.states.devices] ?? key;
    case 'traffic_class':
      return t.link.clicks.classes[key as keyof typeof t.link.clicks.classes] ?? key;
    case 'match_method':
      return t.link.installs.methods[key as keyof typeof t.link.installs.methods] ?? key;
    case 'language':
      return languageName(key);
    default:
      return key;
  }
}

function languageName(code: string): string {
  try {
    return languages.of(code) ?? code;
  } catch {
    return code;
  }
}
