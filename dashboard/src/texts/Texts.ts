import type { texts } from './en/index.ts';

/** Every text of the dashboard. English is the model: a text that another language lacks is a type error there. */
export type Texts = typeof texts;
