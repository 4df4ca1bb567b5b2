import { language } from '../kernel/language.ts';

const rules = new Intl.PluralRules(language);

/** The form of a word for a number, in the language of the page. Each language gives the forms that it has. */
export function plural(count: number, forms: { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>): string {
  return forms[rules.select(count)] ?? forms.other;
}
