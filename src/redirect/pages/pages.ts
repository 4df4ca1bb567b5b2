import { type Html, html } from '../../kernel/html.ts';
import { ICONS } from './icons.ts';
import { chooseLanguage, type Language, TEXTS } from './language.ts';
import { type LaidOut, type Layout, layOut } from './layout.ts';
import type { PageTexts } from './texts/PageTexts.ts';

/** The content of a page: its layout without the language. */
export type Content = Omit<Layout, 'language'>;

/** Facts that pages show besides their fixed texts. */
export interface PageFacts {
  shortUrl?: string;
  /** What the owner shows of the link to everyone, or the host of its destination. */
  heading?: string | null;
  /** Where the link leads; if there are several, to one of them. */
  destinations?: readonly string[];
  /** Whether some visitors are sent elsewhere. */
  mayVary?: boolean;
  retryAfterSeconds?: number;
}

interface Kind {
  status: number;
  content: (texts: PageTexts, facts: PageFacts) => Content;
  /** Whether the page shows facts; other pages are rendered once for each language. */
  hasFacts?: true;
}

/** Pages that visitors see instead of a destination, with their statuses. */
const PAGES = {
  not_found: { status: 404, content: ({ notFound }) => notice(notFound, 'search') },
  flagged: { status: 404, content: ({ flagged }) => notice(flagged, 'alarm') },
  expired: { status: 410, content: ({ expired }) => notice(expired, 'clock') },
  unavailable: { status: 503, content: ({ unavailable }) => notice(unavailable, 'clock') },
  password: { status: 200, content: (texts) => passwordPage(texts, false) },
  password_wrong: { status: 403, content: (texts) => passwordPage(texts, true) },
  password_throttled: { status: 429, content: throttledPage, hasFacts: true },
  preview: { status: 200, content: previewPage, hasFacts: true },
  preview_protected: { status: 200, content: ({ protectedPreview }) => notice(protectedPreview, 'lock') },
} satisfies Record<string, Kind>;

export type PageName = keyof typeof PAGES;

interface Page extends LaidOut {
  status: number;
}

/** Renders a page in the best language for an Accept-Language header. */
export function renderPage(name: PageName, acceptLanguage: string | undefined, facts: PageFacts): Page {
  const language = chooseLanguage(acceptLanguage);
  const kind: Kind = PAGES[name];
  if (kind.hasFacts) return render(kind, language, facts);
  const key = `${name} ${language}`;
  const page = rendered.get(key) ?? render(kind, language, facts);
  rendered.set(key, page);
  return page;
}

/** Pages without facts, by name and language. */
const rendered = new Map<string, Page>();

function render({ status, content }: Kind, language: Language, facts: PageFacts): Page {
  return { status, ...layOut({ language, ...content(TEXTS[language], facts) }) };
}

/** A page with a single message. */
function notice({ title, text }: { title: string; text: string }, icon: keyof typeof ICONS): Content {
  return { title, icon: ICONS[icon], main: html`<p class="soft">${text}</p>` };
}

function throttledPage({ throttled: { title, text } }: PageTexts, { retryAfterSeconds = 60 }: PageFacts): Content {
  return notice({ title, text: text(Math.max(1, Math.ceil(retryAfterSeconds / 60))) }, 'lock');
}

/** The form for the password of a link; it posts to its own address, with the query. */
function passwordPage({ password }: PageTexts, isWrong: boolean): Content {
  const { title, text, label, submit, wrong } = password;
  return {
    title,
    icon: ICONS.lock,
    hasForm: true,
    main: html`<p class="soft" id="hint">${text}</p>
${isWrong ? html`<p class="error" id="wrong" role="alert">${wrong}</p>` : null}
<form method="post">
<label for="password">${label}</label>
<input id="password" name="password" type="password" maxlength="200" required autofocus autocomplete="current-password" autocapitalize="off" spellcheck="false" ${isWrong ? html`aria-invalid="true" aria-describedby="wrong"` : html`aria-describedby="hint"`}>
<button class="button">${submit}</button>
</form>`,
  };
}

/** Shows where a link leads, before the visitor follows it. */
function previewPage({ preview }: PageTexts, facts: PageFacts): Content {
  const { shortUrl, heading, destinations = [], mayVary } = facts;
  return {
    title: preview.title,
    icon: ICONS.arrow,
    main: html`${heading ? html`<p>${heading}</p>` : null}
<h2 class="label">${preview.shortUrl}</h2>
<p class="address">${shortUrl}</p>
<h2 class="label">${destinations.length > 1 ? preview.leadsToOneOf : preview.leadsTo}</h2>
${destinations.map((destination) => html`<p class="address">${anchor(destination)}</p>`)}
${mayVary ? html`<p class="soft small">${preview.mayVary}</p>` : null}`,
  };
}

/** Web addresses become links; addresses of apps stay text, because they need the app. */
function anchor(destination: string): Html {
  if (!/^https?:\/\//i.test(destination)) return html`${destination}`;
  return html`<a href="${destination}" rel="noopener noreferrer nofollow">${destination}</a>`;
}
