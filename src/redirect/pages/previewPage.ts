import { type Html, html } from './html.ts';
import { ICONS } from './icons.ts';
import type { Content, PageFacts } from './pages.ts';
import type { PageTexts } from './texts/PageTexts.ts';

/** Where a link leads, to read before following it. */
export function previewPage({ preview }: PageTexts, facts: PageFacts): Content {
  const { shortUrl, linkTitle, destinations = [], mayVary } = facts;
  return {
    title: preview.title,
    icon: ICONS.arrow,
    main: html`${linkTitle ? html`<p>${linkTitle}</p>` : null}
<h2 class="label">${preview.shortUrl}</h2>
<p class="address">${shortUrl}</p>
<h2 class="label">${destinations.length > 1 ? preview.leadsToOneOf : preview.leadsTo}</h2>
${destinations.map((destination) => html`<p class="address">${anchor(destination)}</p>`)}
${mayVary ? html`<p class="soft small">${preview.mayVary}</p>` : null}`,
  };
}

/** Web addresses can be followed from here; those of apps mean nothing in a browser without the app. */
function anchor(destination: string): Html {
  if (!/^https?:\/\//i.test(destination)) return html`${destination}`;
  return html`<a href="${destination}" rel="noopener noreferrer nofollow">${destination}</a>`;
}
