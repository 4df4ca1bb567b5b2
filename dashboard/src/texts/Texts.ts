import type { pages, texts } from './en/index.ts';

type Loaders = typeof pages;
export type PageName = keyof Loaders;

/** English is the model: a text that another language lacks is a type error there. */
export type FrameTexts = typeof texts;
export type PageTexts = { [Name in PageName]: Awaited<ReturnType<Loaders[Name]>>['texts'] };
export type PageLoaders = { [Name in PageName]: () => Promise<{ texts: PageTexts[Name] }> };

/** Every text of the dashboard. */
export type Texts = FrameTexts & PageTexts;
