import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import type { PageTexts } from './PageTexts.ts';

/** By language; the first is taken when a visitor wants none of them. */
export const TEXTS = { en, de, fr, es, ja } satisfies Record<string, PageTexts>;
