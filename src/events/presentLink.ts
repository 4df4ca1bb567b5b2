import { clock } from '../kernel/clock.ts';
import { shortUrl } from '../kernel/origins.ts';
import type { Link } from '../models/Link.ts';
import { linkStatus } from '../routing/status.ts';

/** A link as REST and webhooks show it; `tags` are names. */
export function presentLink(link: Link, tags: string[]): Record<string, unknown> {
  const utm = link.utm && {
    source: link.utm.source ?? null,
    medium: link.utm.medium ?? null,
    campaign: link.utm.campaign ?? null,
    term: link.utm.term ?? null,
    content: link.utm.content ?? null,
  };
  const preview = link.preview && {
    title: link.preview.title ?? null,
    description: link.preview.description ?? null,
    image_url: link.preview.image_url ?? null,
  };
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
    status: linkStatus(link, clock.now()),
    external_id: link.externalId,
    title: link.title,
    notes: link.notes,
    utm,
    preview,
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
    created_at: iso(link.createdAt),
    updated_at: iso(link.updatedAt),
  };
}

function iso(time: Date | null): string | null {
  return time ? time.toISOString() : null;
}
