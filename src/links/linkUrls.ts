import type { Link } from '../models/Link.ts';
import type { ScannedUrl } from '../scan/target.ts';
import type { LinkInput } from './linkInput.ts';

interface Destination {
  /** Its field, in the spelling of REST. */
  path: string;
  url: string;
}

/** Every URL of the input that a visitor can be redirected to. */
export function destinationsOf(input: LinkInput): Destination[] {
  const found: Destination[] = [];
  const add = (path: string, url: unknown) => {
    if (typeof url === 'string') found.push({ path, url });
  };
  add('destination', input.destination);
  add('expired_destination', input.expiredDestination);
  const routing = (input.routing ?? {}) as Routing;
  routing.rules?.forEach((rule, index) => {
    add(`routing.rules.${index}.destination`, rule.destination);
  });
  routing.split?.forEach((entry, index) => {
    add(`routing.split.${index}.destination`, entry.destination);
  });
  for (const platform of ['ios', 'android'] as const) {
    const fallback = routing[platform]?.fallback;
    if (fallback !== 'store') add(`routing.${platform}.fallback`, fallback);
  }
  return found;
}

/** Every URL of the input that is scanned: all destinations, and the preview image, which visitors' programs load. */
export function urlsOf(input: LinkInput): Destination[] {
  const image = input.preview?.imageUrl;
  return [...destinationsOf(input), ...(image ? [{ path: 'preview.image_url', url: image }] : [])];
}

interface Routing {
  rules?: { destination?: string }[];
  split?: { destination?: string }[];
  ios?: { fallback?: string } | null;
  android?: { fallback?: string } | null;
}

/** The columns that hold the URLs of a link. */
export type LinkUrls = Pick<Link, 'destination' | 'expiredDestination' | 'routing' | 'preview'>;

/** Every URL of a stored link that is scanned. */
export function storedUrls({ destination, expiredDestination, routing, preview }: LinkUrls): ScannedUrl[] {
  return urlsOf({ destination, expiredDestination, routing, preview: { imageUrl: preview?.image_url ?? null } });
}
