import { shortUrl } from '../kernel/origins.ts';
import { answer } from './answer.ts';
import type { Exchange } from './Exchange.ts';
import type { RedirectLink } from './loadLink.ts';
import { socialPage } from './pages/socialPage.ts';

/** What crawlers of social networks show for the link: the texts and the picture that its owner set. */
export function answerSocialPreview(exchange: Exchange, link: RedirectLink): void {
  const { title, description, image_url: imageUrl } = link.preview ?? {};
  const url = shortUrl(link.domain, link.slug);
  const { headers, html } = socialPage({ url, title: title || link.title || url, description, imageUrl });
  answer(exchange, 200, [...headers, 'Content-Length', String(html.length)], html);
}
