import { type InferAttributes, Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { clock } from '../kernel/clock.ts';
import { shortUrl } from '../kernel/origins.ts';
import { type LinkStatus, linkStatus } from '../routing/status.ts';
import type { Utm } from '../routing/utm.ts';
import { table } from './define.ts';

export type { Utm };

/** A short link. `routing` and `preview` are stored as they are on the wire; `clicks` counts people only. */
@table('links', {
  id: c.id(),
  projectId: c.text(),
  domain: c.text(),
  slug: c.text(),
  destination: c.text(),
  routing: c.optionalJson(),
  data: c.json(),
  externalId: c.optionalText(),
  managedBy: c.optionalText(),
  title: c.optionalText(),
  notes: c.optionalText(),
  utm: c.optionalJson(),
  preview: c.optionalJson(),
  passwordHash: c.optionalText(),
  startsAt: c.optionalTime(),
  expiresAt: c.optionalTime(),
  expiredDestination: c.optionalText(),
  clickLimit: c.optionalInteger(),
  matchWindowSeconds: c.optionalInteger(),
  clicks: c.bigInteger(),
  lastClickedAt: c.optionalTime(),
  flagReason: c.optionalText(),
  flaggedAt: c.optionalTime(),
  flaggedBy: c.optionalText(),
  clearedVerdict: c.optionalText(),
  reviewRequestedAt: c.optionalTime(),
  scannedAt: c.optionalTime(),
  archivedAt: c.optionalTime(),
  batchId: c.optionalText(),
})
export class Link extends Model {
  declare id: string;
  declare projectId: string;
  declare domain: string;
  declare slug: string;
  declare destination: string;
  declare routing: Record<string, unknown> | null;
  declare data: Record<string, unknown>;
  declare externalId: string | null;
  /** Which configuration or program made it, such as `code:marketing`. */
  declare managedBy: string | null;
  declare title: string | null;
  declare notes: string | null;
  declare utm: Utm | null;
  declare preview: { title?: string | null; description?: string | null; image_url?: string | null } | null;
  declare passwordHash: string | null;
  declare startsAt: Date | null;
  declare expiresAt: Date | null;
  declare expiredDestination: string | null;
  declare clickLimit: number | null;
  declare matchWindowSeconds: number | null;
  declare clicks: number;
  declare lastClickedAt: Date | null;
  declare flagReason: string | null;
  declare flaggedAt: Date | null;
  /** A review that finds nothing removes the flag of a scan; the flag of an operator stays until an operator clears it. */
  declare flaggedBy: 'scan' | 'operator' | null;
  /** A finding that an operator reviewed and cleared: a scan with the same finding does not flag the link again. See `verdictOn`. */
  declare clearedVerdict: string | null;
  declare reviewRequestedAt: Date | null;
  /** The time of the last scan, which determines the next one; null: none yet, or a provider was unavailable. */
  declare scannedAt: Date | null;
  declare archivedAt: Date | null;
  declare batchId: string | null;
  declare createdAt: Date;
  declare updatedAt: Date;
  /** Its tags in alphabetical order, if the code that created or changed it set them. Not a column. */
  declare tagNames?: string[];
  declare tagIds?: string[];

  get shortUrl(): string {
    return shortUrl(this.domain, this.slug);
  }

  /** The current status: the first that applies of flagged, archived, scheduled, expired and active. */
  get status(): LinkStatus {
    return linkStatus(this, clock.now());
  }

  get passwordProtected(): boolean {
    return this.passwordHash !== null;
  }
}

/** The columns of a link. */
export type LinkColumns = Omit<
  InferAttributes<Link>,
  'tagNames' | 'tagIds' | 'shortUrl' | 'status' | 'passwordProtected'
>;
