import { isDeepStrictEqual } from 'node:util';
import { clock } from '../kernel/clock.ts';
import { shortUrl } from '../kernel/origins.ts';
import type { Link, LinkColumns } from '../models/Link.ts';
import { linkStatus } from '../routing/status.ts';
import { completeUtm } from '../routing/utm.ts';

/** The fields that a presentation of a link needs; a `Link` has them. */
export type LinkFacts = Omit<
  LinkColumns,
  'flaggedBy' | 'clearedVerdict' | 'reviewRequestedAt' | 'scannedAt' | 'batchId'
>;

export type PresentedLink = ReturnType<typeof presentLink>;

/**
 * A link as webhooks show it; `tags` are names. `atMs` is the moment of its status: pass the same one for two
 * presentations that are compared, or a link that expires in between counts as changed.
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
    managed_by: link.managedBy,
    title: link.title,
    notes: link.notes,
    utm: completeUtm(link.utm),
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

/** Fields that no one changes: they are fixed, counted or computed. */
const IGNORED = ['id', 'project_id', 'created_at', 'updated_at', 'clicks', 'last_clicked_at'] as const;
/** Fields whose change alone sends no `link.updated`. */
export const QUIET_FIELDS = ['title', 'notes', 'external_id', 'managed_by'] as const satisfies (keyof LinkChanges)[];

/** The changed fields of a link with their presented values. */
export type LinkChanges = {
  [Field in Exclude<keyof PresentedLink, (typeof IGNORED)[number]>]?: {
    from: PresentedLink[Field];
    to: PresentedLink[Field];
  };
};

const ignored = new Set<string>(IGNORED);
const quiet = new Set<string>(QUIET_FIELDS);

/** Compares two presentations of a link. */
export function changesBetween(before: PresentedLink, after: PresentedLink): LinkChanges {
  const fields = (Object.keys(before) as (keyof PresentedLink)[]).filter(
    (field) => !ignored.has(field) && !isDeepStrictEqual(before[field], after[field]),
  );
  return Object.fromEntries(fields.map((field) => [field, { from: before[field], to: after[field] }]));
}

/** Whether `link.updated` is sent for these changes. */
export function isNotable(changes: LinkChanges): boolean {
  return Object.keys(changes).some((field) => !quiet.has(field));
}

/** The limit of link ids in one event, as documented for the API. */
export const MAX_LINK_IDS = 10_000;

/** The counters that the bulk call or the import reports. */
export type BatchCounts =
  | { created: number; failed: number }
  | { updated: number; failed: number }
  | { deleted: number; failed: number }
  | { created: number; updated: number; unchanged: number; failed: number }
  | { created: number; updated: number; skipped: number; failed: number };

/** What a bulk call or an import does with its links; `upsert` creates and changes. */
export type BatchAction = 'create' | 'update' | 'upsert' | 'delete';

/** A finished bulk call or import. */
interface BatchFacts {
  batchId: string;
  source: 'bulk' | 'csv';
  action: BatchAction;
  counts: BatchCounts;
  /** Links that were created, changed or deleted; may contain duplicates. */
  linkIds: string[];
}

/** The data of `links.imported`. */
export function presentBatch({ batchId, source, action, counts, linkIds }: BatchFacts) {
  const distinct = [...new Set(linkIds)];
  return {
    batch_id: batchId,
    source,
    action,
    counts,
    link_ids: distinct.slice(0, MAX_LINK_IDS),
    link_ids_truncated: distinct.length > MAX_LINK_IDS,
  };
}
