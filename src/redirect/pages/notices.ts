import { html } from './html.ts';
import { ICONS } from './icons.ts';
import type { Content, PageFacts } from './pages.ts';
import type { PageTexts } from './texts/PageTexts.ts';

/** Pages that say one thing and offer nothing. */
export const notices = {
  notFound: ({ notFound }) => notice(notFound, 'search'),
  flagged: ({ flagged }) => notice(flagged, 'alarm'),
  expired: ({ expired }) => notice(expired, 'clock'),
  unavailable: ({ unavailable }) => notice(unavailable, 'clock'),
  protectedPreview: ({ protectedPreview }) => notice(protectedPreview, 'lock'),
  throttled: ({ throttled: { title, text } }, { retryAfterSeconds = 60 }) =>
    notice({ title, text: text(Math.max(1, Math.ceil(retryAfterSeconds / 60))) }, 'lock'),
} satisfies Record<string, (texts: PageTexts, facts: PageFacts) => Content>;

function notice({ title, text }: { title: string; text: string }, icon: keyof typeof ICONS): Content {
  return { title, icon: ICONS[icon], main: html`<p class="soft">${text}</p>` };
}
