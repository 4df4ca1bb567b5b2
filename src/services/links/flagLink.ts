import { raiseAlert } from '../../alerts/raiseAlert.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { PRESENTERS } from '../../events/presenters.ts';
import { recordEvent } from '../../events/recordEvent.ts';
import { now } from '../../kernel/clock.ts';
import { notFound } from '../../kernel/errors.ts';
import { shortUrl } from '../../kernel/origins.ts';
import type { Link } from '../../models/Link.ts';
import type { ScannedUrl } from '../../scan/scanMany.ts';
import { storedUrls } from '../../scan/storedUrls.ts';
import { fingerprintOf, verdictOn } from '../../scan/verdict.ts';
import { aboutLink } from './aboutLink.ts';
import { changeFlag, type LinkEvent, lockLink } from './changeFlag.ts';

/**
 * Stops a link at once and tells why: events, and an alert. With `scanned`, the URLs that the reason is about, it is a
 * scan's word, which counts as long as the link still has these URLs and no operator has cleared just this; without, it
 * is an operator's, which outranks a scan's. False when nothing changes. Throws `not_found`.
 */
export async function flagLink(linkId: string, reason: string, scanned?: ScannedUrl[]): Promise<boolean> {
  return inTransaction(async (transaction) => {
    const link = await lockLink(linkId, transaction);
    if (!link) throw notFound('link');
    if (scanned && !isNews(link, reason, scanned)) return false;
    if (!scanned && link.flaggedBy === 'operator' && link.flagReason === reason) return false;
    const isFirst = link.flaggedAt === null;
    const event = await changeFlag(
      link,
      {
        flaggedAt: link.flaggedAt ?? now(),
        flagReason: reason,
        flaggedBy: scanned ? 'scan' : 'operator',
        clearedVerdict: null,
        reviewRequestedAt: null,
      },
      transaction,
    );
    if (isFirst) await tellOfFlag(link, reason, event, transaction);
    if (!scanned) {
      const about = aboutLink(link, { id: link.projectId, teamId: event.teamId });
      await recordAudit(transaction, 'operator', { ...about, action: 'link.flagged', details: { reason } });
    }
    return true;
  });
}

function isNews(link: Link, reason: string, scanned: ScannedUrl[]): boolean {
  const urls = storedUrls(link);
  if (link.flaggedAt !== null || fingerprintOf(urls) !== fingerprintOf(scanned)) return false;
  return link.clearedVerdict !== verdictOn(urls, reason);
}

/** The alert of a link's flag; resolved when the flag is cleared. */
export function flagIncident(linkId: string): string {
  return `link_flagged:${linkId}`;
}

async function tellOfFlag(
  link: Link,
  reason: string,
  { shown, ...event }: LinkEvent,
  transaction: Transaction,
): Promise<void> {
  await recordEvent(transaction, { ...event, type: 'link.flagged', data: PRESENTERS['link.flagged'](shown, reason) });
  const url = shortUrl(link.domain, link.slug);
  await raiseAlert(transaction, {
    ...event,
    kind: 'link_flagged',
    severity: 'warning',
    title: 'A link was flagged',
    message: `${url} leads nowhere any more. ${reason}`,
    details: { link_id: link.id, short_url: url, reason },
    incident: flagIncident(link.id),
  });
}
