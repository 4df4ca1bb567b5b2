import { resolveAlert } from '../../alerts/resolveAlert.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { now } from '../../kernel/clock.ts';
import { notFound } from '../../kernel/errors.ts';
import type { ScannedUrl } from '../../scan/scanMany.ts';
import { storedUrls } from '../../scan/storedUrls.ts';
import { fingerprintOf, verdictOn } from '../../scan/verdict.ts';
import { aboutLink } from './aboutLink.ts';
import { changeFlag, lockLink } from './changeFlag.ts';
import { flagIncident } from './flagLink.ts';

/**
 * Lets a flagged link work again. With `scanned` because a scan of these URLs found nothing: that clears the flags of
 * scans alone, and a later finding flags anew. Without, an operator has decided: no scan flags the link for the same
 * reason until its URLs change. False when nothing changes. Throws `not_found`.
 */
export async function clearFlag(linkId: string, scanned?: ScannedUrl[]): Promise<boolean> {
  return inTransaction(async (transaction) => {
    const link = await lockLink(linkId, transaction);
    if (!link) throw notFound('link');
    if (link.flaggedAt === null) return false;
    const urls = storedUrls(link);
    if (scanned && (link.flaggedBy !== 'scan' || fingerprintOf(scanned) !== fingerprintOf(urls))) return false;
    const remembered = scanned
      ? { clearedVerdict: null, scannedAt: now() }
      : { clearedVerdict: verdictOn(urls, link.flagReason) };
    const unflagged = { flaggedAt: null, flagReason: null, flaggedBy: null, reviewRequestedAt: null };
    const { teamId } = await changeFlag(link, { ...unflagged, ...remembered }, transaction);
    if (!scanned) {
      const about = aboutLink(link, { id: link.projectId, teamId });
      await recordAudit(transaction, 'operator', { ...about, action: 'link.flag_cleared' });
    }
    await resolveAlert(transaction, flagIncident(link.id));
    return true;
  });
}
