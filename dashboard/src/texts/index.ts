import type { Language } from '../kernel/language.ts';
import type { Texts } from './Texts.ts';

/** One lazy chunk for each language. */
const CATALOGUES: Record<Language, () => Promise<{ texts: Texts }>> = {
  en: () => import('./en/index.ts'),
};

/** The texts of the language of this page, set before anything is rendered. */
export let t: Texts;

export async function loadTexts(language: Language): Promise<void> {
  ({ texts: t } = await CATALOGUES[language]());
}
