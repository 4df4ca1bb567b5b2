import type { Link } from '../models/Link.ts';
import { urlsOf } from '../services/links/destinationsOf.ts';
import type { ScannedUrl } from './scanMany.ts';

/** Every URL of a stored link that is scanned. */
export function storedUrls({ destination, expiredDestination, routing, preview }: Link): ScannedUrl[] {
  return urlsOf({ destination, expiredDestination, routing, preview: { imageUrl: preview?.image_url ?? null } });
}
