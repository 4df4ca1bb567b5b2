import type { Principal } from '../../access/principal.ts';
import { type NewAuditEntry, recordAudit } from '../../audit/recordAudit.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { CodedError } from '../../kernel/errors.ts';
import type { Link } from '../../models/Link.ts';
import type { Project } from '../../models/Project.ts';
import { changeLinks } from './changeLinks.ts';
import { refuseDuplicates } from './duplicates.ts';
import { findLink } from './findLink.ts';
import type { LinkChange } from './linkInput.ts';
import { type PreparedChange, prepareChanges } from './prepareChanges.ts';

/**
 * Changes the fields that are sent; `archived` archives or restores. Throws `not_found`, `validation_failed`,
 * `slug_taken`, `conflict`.
 */
export async function updateLink(principal: Principal, id: string, input: LinkChange): Promise<Link> {
  const { found, project, prepared } = await prepareChange(principal, id, input);
  try {
    return await changePrepared(principal, project, prepared);
  } catch (error) {
    // Another change was quicker, in the moment between the look and the write.
    throw refuseDuplicates(error, { domain: found.domain, slug: found.slug, ...prepared.address }, input.externalId);
  }
}

/** Archiving and restoring are safe to repeat: what is so already changes nothing and tells nobody. */
export function archiveLink(principal: Principal, id: string, archived: boolean): Promise<Link> {
  return updateLink(principal, id, { archived });
}

/** Whether the change is possible, without making it. */
export async function checkLinkChange(principal: Principal, id: string, input: LinkChange): Promise<void> {
  await prepareChange(principal, id, input);
}

async function prepareChange(principal: Principal, id: string, input: LinkChange) {
  const { link: found, project } = await findLink(principal, 'links:write', id);
  const [prepared] = await prepareChanges(project, [{ link: found, input }]);
  if (!prepared || prepared instanceof CodedError) throw prepared;
  return { found, project, prepared };
}

function changePrepared(principal: Principal, project: Project, prepared: PreparedChange): Promise<Link> {
  return inTransaction(async (transaction) => {
    const note = (entry: NewAuditEntry) => recordAudit(transaction, principal, entry);
    const [link] = await changeLinks(project, [prepared], transaction, note);
    if (!link || link instanceof CodedError) throw link;
    return link;
  });
}
