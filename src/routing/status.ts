export type LinkStatus = 'flagged' | 'archived' | 'scheduled' | 'expired' | 'active';

/** The facts that a link's status follows from; moments as Dates or in milliseconds since the epoch. */
export interface StatusFacts {
  flaggedAt: Date | number | null;
  archivedAt: Date | number | null;
  startsAt: Date | number | null;
  expiresAt: Date | number | null;
  clickLimit: number | null;
  /** People only. */
  clicks: number;
}

/** The first status that holds. A link lives from `startsAt` (inclusive) to `expiresAt` (exclusive). */
export function linkStatus(link: StatusFacts, now: Date | number): LinkStatus {
  if (link.flaggedAt !== null) return 'flagged';
  if (link.archivedAt !== null) return 'archived';
  if (link.startsAt !== null && Number(now) < Number(link.startsAt)) return 'scheduled';
  if (link.expiresAt !== null && Number(now) >= Number(link.expiresAt)) return 'expired';
  if (link.clickLimit !== null && link.clicks >= link.clickLimit) return 'expired';
  return 'active';
}
