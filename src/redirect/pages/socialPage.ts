import { html } from '../../kernel/html.ts';
import { type LaidOut, layOut } from './layout.ts';

interface SocialFacts {
  /** The short URL, the target of the card. */
  url: string;
  title: string;
  description?: string | null | undefined;
  imageUrl?: string | null | undefined;
}

/** A page of Open Graph and Twitter card tags. It may be indexed, because crawlers of cards obey noindex too. */
export function socialPage({ url, title, description, imageUrl }: SocialFacts): LaidOut {
  return layOut({
    language: null,
    title,
    isIndexed: true,
    head: html`<link rel="canonical" href="${url}">
<meta property="og:type" content="website">
<meta property="og:url" content="${url}">
<meta property="og:title" content="${title}">
<meta name="twitter:card" content="${imageUrl ? 'summary_large_image' : 'summary'}">
<meta name="twitter:title" content="${title}">
${
  description
    ? html`<meta name="description" content="${description}">
<meta property="og:description" content="${description}">
<meta name="twitter:description" content="${description}">`
    : null
}
${
  imageUrl
    ? html`<meta property="og:image" content="${imageUrl}">
<meta name="twitter:image" content="${imageUrl}">`
    : null
}`,
    main: html`${description ? html`<p>${description}</p>` : null}
<p><a href="${url}">${url}</a></p>`,
  });
}
