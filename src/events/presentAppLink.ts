import { shortUrl } from '../kernel/origins.ts';

/** A link that an app was opened or installed by; a `Link` is one. */
export interface AppLinkFacts {
  id: string;
  slug: string;
  domain: string;
  destination: string;
  /** The free-form payload for the app. */
  data: Record<string, unknown>;
}

/** The link of an install, an opening or an event of an app, as the app itself is told of it; null when there is none. */
export function presentAppLink(link: AppLinkFacts | null) {
  return (
    link && {
      id: link.id,
      slug: link.slug,
      domain: link.domain,
      short_url: shortUrl(link.domain, link.slug),
      destination: link.destination,
      data: link.data,
    }
  );
}
