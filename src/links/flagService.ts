import type { Principal } from '../access/principal.ts';
import { raiseAlert, resolveAlert } from '../alerts/raiseAlert.ts';
import { recordAudit } from '../audit/recordAudit.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { PRESENTERS } from '../events/presenters.ts';
import { recordEvent } from '../events/recordEvent.ts';
import { now } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import { shortUrl } from '../kernel/origins.ts';
import { Link } from '../models/Link.ts';
import { fingerprintOf, verdictOf } from '../scan/scan.ts';
import type { ScannedUrl } from '../scan/target.ts';
import { auditSubject, findLink } from './linkReferences.ts';
import { storedUrls } from './linkUrls.ts';
import { applySystemChange, type LinkEvent } from './systemChange.ts';

/**
 * Asks for a review of a link's flag: a scan's flag is scanned again soon, an operator's waits for the operator. Safe to
 * repeat; a link without a flag stays as it is. Throws `not_found`.
 */
export async function reviewLink(principal: Principal, id: string): Promise<Link> {
  const { link: found, project } = await findLink(principal, 'links:write', id);
  if (found.flaggedAt === null || found.reviewRequestedAt !== null) return found;
  return inTransaction(async (transaction) => {
    const link = await lockLink(found.id, transaction);
    if (!link) throw notFound('link');
    if (link.flaggedAt === null || link.reviewRequestedAt !== null) return link;
    await recordAudit(transaction, principal, { ...auditSubject(link, project), action: 'link.review_requested' });
    // The request changes nothing that a link shows; `updated_at` stays as well.
    return link.update({ reviewRequestedAt: now() }, { transaction, silent: true });
  });
}

/**
 * Stops a link at once and reports it with events and an alert. With `scanned`, the URLs that the reason is about, a scan
 * flags: that counts while the link still has these URLs and no operator has cleared the same finding. Without, an operator
 * flags, which outranks a scan. Returns false when nothing changes. Throws `not_found`.
 */
export async function flagLink(linkId: string, reason: string, scanned?: ScannedUrl[]): Promise<boolean> {
  return inTransaction(async (transaction) => {
    const link = await lockLink(linkId, transaction);
    if (!link) throw notFound('link');
    if (scanned && !isNewFinding(link, reason, scanned)) return false;
    if (!scanned && link.flaggedBy === 'operator' && link.flagReason === reason) return false;
    const isFirst = link.flaggedAt === null;
    const event = await applySystemChange(
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
    if (isFirst) await reportFlag(link, reason, event, transaction);
    if (!scanned) {
      const subject = auditSubject(link, { id: link.projectId, teamId: event.teamId });
      await recordAudit(transaction, 'operator', { ...subject, action: 'link.flagged', details: { reason } });
    }
    return true;
  });
}

/**
 * Lets a flagged link work again. With `scanned`, a scan of these URLs found nothing: that clears flags of scans only, and
 * a later finding flags the link again. Without, an operator clears the flag: no scan flags the link for the same reason
 * until its URLs change. Returns false when nothing changes. Throws `not_found`.
 */
export async function clearFlag(linkId: string, scanned?: ScannedUrl[]): Promise<boolean> {
  return inTransaction(async (transaction) => {
    const link = await lockLink(linkId, transaction);
    if (!link) throw notFound('link');
    if (link.flaggedAt === null) return false;
    const urls = storedUrls(link);
    if (scanned && (link.flaggedBy !== 'scan' || fingerprintOf(scanned) !== fingerprintOf(urls))) return false;
    const scanColumns = scanned
      ? { clearedVerdict: null, scannedAt: now() }
      : { clearedVerdict: verdictOf(urls, link.flagReason) };
    const noFlag = { flaggedAt: null, flagReason: null, flaggedBy: null, reviewRequestedAt: null };
    const { teamId } = await applySystemChange(link, { ...noFlag, ...scanColumns }, transaction);
    if (!scanned) {
      const subject = auditSubject(link, { id: link.projectId, teamId });
      await recordAudit(transaction, 'operator', { ...subject, action: 'link.flag_cleared' });
    }
    await resolveAlert(transaction, flagIncident(link.id));
    return true;
  });
}

/** Ends a review that confirmed the scan's flag, for this reason. Does nothing when the link or its flag is gone. */
export async function keepFlag(linkId: string, reason: string): Promise<void> {
  await inTransaction(async (transaction) => {
    const link = await lockLink(linkId, transaction);
    if (link?.flaggedBy !== 'scan') return;
    await applySystemChange(link, { flagReason: reason, reviewRequestedAt: null }, transaction);
  });
}

/** The link as it is now, locked until the transaction ends; null when it was deleted. */
function lockLink(id: string, transaction: Transaction): Promise<Link | null> {
  return Link.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE });
}

/** Whether a scan's reason concerns the URLs that the link has now, and was not cleared by an operator. */
function isNewFinding(link: Link, reason: string, scanned: ScannedUrl[]): boolean {
  const urls = storedUrls(link);
  if (link.flaggedAt !== null || fingerprintOf(urls) !== fingerprintOf(scanned)) return false;
  return link.clearedVerdict !== verdictOf(urls, reason);
}

/** The incident of a flagged link's alert, which is resolved when the flag is cleared. */
function flagIncident(linkId: string): string {
  return `link_flagged:${linkId}`;
}

async function reportFlag(
  link: Link,
  reason: string,
  { shown, ...scope }: LinkEvent,
  transaction: Transaction,
): Promise<void> {
  await recordEvent(transaction, { ...scope, type: 'link.flagged', data: PRESENTERS['link.flagged'](shown, reason) });
  const url = shortUrl(link.domain, link.slug);
  await raiseAlert(transaction, {
    ...scope,
    kind: 'link_flagged',
    severity: 'warning',
    title: 'A link was flagged',
    message: `${url} no longer redirects. ${reason}`,
    details: { link_id: link.id, short_url: url, reason },
    incident: flagIncident(link.id),
  });
}
