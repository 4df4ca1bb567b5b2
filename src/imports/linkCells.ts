import type { Link } from '../models/Link.ts';

/** A link as a row of our own files, in the order of EXPORT_COLUMNS. */
export function linkCells(link: Link, tags: string[]): (string | number | null)[] {
  const { utm } = link;
  return [
    link.id,
    link.domain,
    link.slug,
    link.destination,
    link.title,
    link.notes,
    tags.join('|'),
    link.externalId,
    utm?.source ?? null,
    utm?.medium ?? null,
    utm?.campaign ?? null,
    utm?.term ?? null,
    utm?.content ?? null,
    link.startsAt?.toISOString() ?? null,
    link.expiresAt?.toISOString() ?? null,
    link.expiredDestination,
    link.clickLimit,
    String(link.archivedAt !== null),
    link.routing && JSON.stringify(link.routing),
    JSON.stringify(link.data),
    link.preview && JSON.stringify(link.preview),
  ];
}
