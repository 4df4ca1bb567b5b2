import { clock } from '../kernel/clock.ts';
import { shortUrl } from '../kernel/origins.ts';
import type { Choice } from '../routing/compiledLink.ts';
import { locationOf } from '../routing/destinationUrl.ts';
import { linkStatus } from '../routing/status.ts';
import { answer, answerExpired, answerPage, answerUnknown, type Exchange } from './answer.ts';
import { findByPath, type PathMatch } from './findByPath.ts';
import type { LinkCache } from './LinkCache.ts';
import type { RedirectLink } from './loadLink.ts';
import type { PageFacts } from './pages/pages.ts';
import { socialPage } from './pages/socialPage.ts';

const PLUS = /(?:\+|%2b)$/i;

/** Whether a path asks for the preview of a link, `/<slug>+`. Slugs never contain a plus sign. */
export function isPreviewPath(path: string): boolean {
  return path.charCodeAt(path.length - 1) === 0x2b || path.endsWith('%2B') || path.endsWith('%2b');
}

/** Shows where a link leads, without counting a click. Throws if the link is not cached and the store is down. */
export async function answerPreview(cache: LinkCache, exchange: Exchange): Promise<void> {
  const { link, rest } = await findByPath(cache, exchange.domain, exchange.path.replace(PLUS, ''));
  if (link === null) {
    answerUnknown(exchange);
    return;
  }
  const status = linkStatus(link, clock.now());
  if (status === 'flagged') answerPage(exchange, 'flagged');
  else if (status === 'expired') answerExpired(exchange, link.expired.destination);
  else if (status !== 'active') answerUnknown(exchange);
  else if (link.passwordHash !== null) answerPage(exchange, 'preview_protected');
  else answerPage(exchange, 'preview', factsOf(link, rest));
}

/** A split replaces the link's own destination; rules and apps send some visitors elsewhere. */
function factsOf(link: RedirectLink, rest: PathMatch['rest']): PageFacts {
  const { rules, split, apps } = link.routing;
  const choices = split.length > 0 ? split : [link.fallback];
  return {
    shortUrl: shortUrl(link.domain, link.slug),
    heading: link.preview?.title || hostsOf(choices),
    destinations: [...new Set(choices.map(({ target }) => locationOf(target, '', rest)))],
    mayVary: rules.length > 0 || apps !== null,
  };
}

/** The hosts of destinations on the web; empty for those that open an app. */
function hostsOf(choices: readonly Choice[]): string {
  const urls = choices.flatMap(({ target }) => URL.parse(target.url) ?? []);
  const hosts = urls.filter(({ protocol }) => /^https?:$/.test(protocol)).map(({ host }) => host);
  return [...new Set(hosts)].join(', ');
}

/**
 * Answers crawlers of social networks with the title, description and image that the owner of the link has set for them. The
 * link's own title is for its team.
 */
export function answerSocialPreview(exchange: Exchange, link: RedirectLink): void {
  const { title, description, image_url: imageUrl } = link.preview ?? {};
  const url = shortUrl(link.domain, link.slug);
  const { headers, html } = socialPage({ url, title: title || hostsOf([link.fallback]) || url, description, imageUrl });
  answer(exchange, 200, [...headers, 'Content-Length', String(html.length)], html);
}
