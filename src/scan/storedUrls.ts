import type { Link } from '../models/Link.ts';
import { urlsOf } from '../services/links/destinationsOf.ts';
import type { ScannedUrl } from './scanMany.ts';

/** What holds the URLs of a link. */
export type Leading = Pick<Link, 'destination' | 'expiredDestination' | 'routing' | 'preview'>;

/** Every URL of a stored link that is scanned. */
export function storedUrls({ destination, expiredDestination, routing, preview }: Leading): ScannedUrl[] {
  return urlsOf({ destination, expiredDestination, routing, preview: { imageUrl: preview?.image_url ?? null } });
}
