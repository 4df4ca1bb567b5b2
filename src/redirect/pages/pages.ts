import { chooseLanguage, type Language } from './language.ts';
import { type LaidOut, type Layout, layOut } from './layout.ts';
import { notices } from './notices.ts';
import { passwordPage } from './passwordPage.ts';
import { previewPage } from './previewPage.ts';
import type { PageTexts } from './texts/PageTexts.ts';
import { TEXTS } from './texts/texts.ts';

/** What a page says: all of the layout but its language. */
export type Content = Omit<Layout, 'language'>;

/** What a page tells of beside its own words. */
export interface PageFacts {
  shortUrl?: string;
  /** What the owner of the link calls it. */
  linkTitle?: string | null;
  /** Where the link leads; several: to one of them. */
  destinations?: readonly string[];
  /** Whether some visitors are led elsewhere. */
  mayVary?: boolean;
  retryAfterSeconds?: number;
}

interface Kind {
  status: number;
  content: (texts: PageTexts, facts: PageFacts) => Content;
  /** Whether it says more than its own words: the others are made once for each language. */
  hasFacts?: true;
}

/** Pages that visitors see instead of a destination. */
const PAGES = {
  not_found: { status: 404, content: notices.notFound },
  flagged: { status: 404, content: notices.flagged },
  expired: { status: 410, content: notices.expired },
  unavailable: { status: 503, content: notices.unavailable },
  password: { status: 200, content: (texts) => passwordPage(texts, false) },
  password_wrong: { status: 403, content: (texts) => passwordPage(texts, true) },
  password_throttled: { status: 429, content: notices.throttled, hasFacts: true },
  preview: { status: 200, content: previewPage, hasFacts: true },
  preview_protected: { status: 200, content: notices.protectedPreview },
} satisfies Record<string, Kind>;

export type PageName = keyof typeof PAGES;

export interface Page extends LaidOut {
  status: number;
}

/** A page in the language that the visitor likes best. */
export function renderPage(name: PageName, acceptLanguage: string | undefined, facts: PageFacts): Page {
  const language = chooseLanguage(acceptLanguage);
  const kind: Kind = PAGES[name];
  if (kind.hasFacts) return render(kind, language, facts);
  const key = `${name} ${language}`;
  const page = rendered.get(key) ?? render(kind, language, facts);
  rendered.set(key, page);
  return page;
}

/** Pages that say the same to everybody, by name and language. */
const rendered = new Map<string, Page>();

function render({ status, content }: Kind, language: Language, facts: PageFacts): Page {
  return { status, ...layOut({ language, ...content(TEXTS[language], facts) }) };
}
