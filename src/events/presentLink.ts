import { clock } from '../kernel/clock.ts';
import { shortUrl } from '../kernel/origins.ts';
import type { Link } from '../models/Link.ts';
import { linkStatus, type StatusFacts } from '../routing/status.ts';
import { presentUtm } from './presentUtm.ts';

/** What must be known of a link to show it; a `Link` is one. */
export type LinkFacts = Pick<
  Link,
  'id' | 'projectId' | 'domain' | 'slug' | 'destination' | 'routing' | 'data' | 'externalId' | 'title' | 'notes'
> &
  Pick<Link, 'utm' | 'preview' | 'passwordHash' | 'expiredDestination' | 'matchWindowSeconds' | 'flagReason'> &
  Pick<Link, 'startsAt' | 'expiresAt' | 'lastClickedAt' | 'flaggedAt' | 'archivedAt' | 'createdAt' | 'updatedAt'> &
  StatusFacts;

export type PresentedLink = ReturnType<typeof presentLink>;

/**
 * A link as REST and webhooks show it; `tags` are names. The status is that of the moment `atMs`: what compares two
 * presentations gives both the same, or a link that expires in between has changed.
 */
export function presentLink(link: LinkFacts, tags: string[], atMs = clock.now()) {
  return {
    id: link.id,
    project_id: link.projectId,
    domain: link.domain,
    slug: link.slug,
    short_url: shortUrl(link.domain, link.slug),
    destination: link.destination,
    routing: link.routing,
    data: link.data,
    tags,
    status: linkStatus(link, atMs),
    external_id: link.externalId,
    title: link.title,
    notes: link.notes,
    utm: presentUtm(link.utm),
    preview: presentPreview(link.preview),
    password_protected: link.passwordHash !== null,
    starts_at: iso(link.startsAt),
    expires_at: iso(link.expiresAt),
    expired_destination: link.expiredDestination,
    click_limit: link.clickLimit,
    match_window_seconds: link.matchWindowSeconds,
    clicks: link.clicks,
    last_clicked_at: iso(link.lastClickedAt),
    flag_reason: link.flagReason,
    flagged_at: iso(link.flaggedAt),
    archived_at: iso(link.archivedAt),
    created_at: link.createdAt.toISOString(),
    updated_at: link.updatedAt.toISOString(),
  };
}

function presentPreview(preview: Link['preview']) {
  return (
    preview && {
      title: preview.title ?? null,
      description: preview.description ?? null,
      image_url: preview.image_url ?? null,
    }
  );
}

function iso(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
