export type LinkStatus = 'flagged' | 'archived' | 'scheduled' | 'expired' | 'active';

/** The facts that determine a link's status; times are Dates or milliseconds since the epoch. */
export interface StatusFacts {
  flaggedAt: Date | number | null;
  archivedAt: Date | number | null;
  startsAt: Date | number | null;
  expiresAt: Date | number | null;
  clickLimit: number | null;
  /** Clicks by people. */
  clicks: number;
}

/** The first status that applies. A link is active from `startsAt` (inclusive) to `expiresAt` (exclusive). */
export function linkStatus(link: StatusFacts, now: Date | number): LinkStatus {
  if (link.flaggedAt !== null) return 'flagged';
  if (link.archivedAt !== null) return 'archived';
  if (link.startsAt !== null && Number(now) < Number(link.startsAt)) return 'scheduled';
  if (link.expiresAt !== null && Number(now) >= Number(link.expiresAt)) return 'expired';
  if (link.clickLimit !== null && link.clicks >= link.clickLimit) return 'expired';
  return 'active';
}
