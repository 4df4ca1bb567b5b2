import type { Language } from '../kernel/language.ts';
import type { FrameTexts, PageLoaders, PageName, Texts } from './Texts.ts';

interface Catalogue {
  texts: FrameTexts;
  pages: PageLoaders;
}

/** One lazy chunk for each language, and one for the texts of each further page. */
const CATALOGUES: Record<Language, () => Promise<Catalogue>> = {
  en: () => import('./en/index.ts'),
  de: () => import('./de/index.ts'),
  fr: () => import('./fr/index.ts'),
  es: () => import('./es/index.ts'),
  ja: () => import('./ja/index.ts'),
};

/** The texts of the language of this page, set before anything is rendered; those of a further page before it is. */
export let t: Texts;

let loaders: PageLoaders;

export async function loadTexts(language: Language): Promise<void> {
  const { texts, pages } = await CATALOGUES[language]();
  t = { ...texts } as Texts;
  loaders = pages;
}

/** Code of a further page, or a part of one elsewhere, and what it says, loaded at the same time. */
export function withTexts<Module>(
  names: PageName | readonly PageName[],
  load: () => Promise<Module>,
): () => Promise<Module> {
  return async () => (await Promise.all([load(), ...[names].flat().map(loadPageTexts)]))[0];
}

async function loadPageTexts<Name extends PageName>(name: Name): Promise<void> {
  t[name] ??= (await loaders[name]()).texts as Texts[Name];
}
