import type { Principal } from '../../access/principal.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { CodedError } from '../../kernel/errors.ts';
import { aboutLink } from './aboutLink.ts';
import { deleteLinks } from './deleteLinks.ts';
import { findLink } from './findLink.ts';

/** Deletes a link for good and frees its slug; its clicks stay in the figures. Throws `not_found`. */
export async function deleteLink(principal: Principal, id: string): Promise<void> {
  const { link, project } = await findLink(principal, 'links:write', id);
  await inTransaction(async (transaction) => {
    const [deleted] = await deleteLinks(project, [link.id], transaction);
    if (!deleted || deleted instanceof CodedError) throw deleted;
    await recordAudit(transaction, principal, { ...aboutLink(deleted, project), action: 'link.deleted' });
  });
}
