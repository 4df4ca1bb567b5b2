import { clock } from '../kernel/clock.ts';
import { shortUrl } from '../kernel/origins.ts';
import { locationOf } from '../routing/destinationUrl.ts';
import { linkStatus } from '../routing/status.ts';
import { answerExpired, answerPage, answerUnknown } from './answer.ts';
import type { Exchange } from './Exchange.ts';
import { type FoundByPath, findByPath } from './findByPath.ts';
import type { LinkCache } from './LinkCache.ts';
import type { RedirectLink } from './loadLink.ts';
import type { PageFacts } from './pages/pages.ts';

const PLUS = /(?:\+|%2b)$/i;

/** Whether a path asks where a link leads: `/<slug>+`. No slug has a plus. */
export function isPreviewPath(path: string): boolean {
  return path.charCodeAt(path.length - 1) === 0x2b || path.endsWith('%2B') || path.endsWith('%2b');
}

/** Shows where a link leads, without counting. Throws when the store is down and memory does not know the link. */
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

/** A split leaves nobody to the link's own destination; rules and apps take some visitors elsewhere. */
function factsOf(link: RedirectLink, rest: FoundByPath['rest']): PageFacts {
  const { rules, split, apps } = link.routing;
  const choices = split.length > 0 ? split : [link.fallback];
  return {
    shortUrl: shortUrl(link.domain, link.slug),
    linkTitle: link.title,
    destinations: [...new Set(choices.map(({ target }) => locationOf(target, '', rest)))],
    mayVary: rules.length > 0 || apps !== null,
  };
}
