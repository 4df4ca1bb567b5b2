import type { Principal } from '../../access/principal.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { now } from '../../kernel/clock.ts';
import { notFound } from '../../kernel/errors.ts';
import type { Link } from '../../models/Link.ts';
import { aboutLink } from './aboutLink.ts';
import { lockLink } from './changeFlag.ts';
import { findLink } from './findLink.ts';

/**
 * Asks for a second look at a flag: a scan's is scanned anew soon, an operator's waits for the operator. Safe to repeat;
 * a link without a flag stays as it is. Throws `not_found`.
 */
export async function reviewLink(principal: Principal, id: string): Promise<Link> {
  const { link: found, project } = await findLink(principal, 'links:write', id);
  if (found.flaggedAt === null || found.reviewRequestedAt !== null) return found;
  return inTransaction(async (transaction) => {
    const link = await lockLink(found.id, transaction);
    if (!link) throw notFound('link');
    if (link.flaggedAt === null || link.reviewRequestedAt !== null) return link;
    await recordAudit(transaction, principal, { ...aboutLink(link, project), action: 'link.review_requested' });
    // Asking changes nothing of the link that anybody is shown, its time included.
    return link.update({ reviewRequestedAt: now() }, { transaction, silent: true });
  });
}
