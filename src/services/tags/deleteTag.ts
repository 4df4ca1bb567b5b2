import type { Principal } from '../../access/principal.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { selectBound } from '../../db/selectBound.ts';
import { CodedError, notFound } from '../../kernel/errors.ts';
import { Tag } from '../../models/Tag.ts';
import { Webhook } from '../../models/Webhook.ts';
import { findOwned } from '../findOwned.ts';
import { teamOf } from '../projects/teamOf.ts';
import { aboutTag } from './aboutTag.ts';

/** Links that lose the tag in one transaction: about 50 ms, for which every other write waits on SQLite. */
const CHUNK = 5000;

/**
 * Deletes a tag; when this returns no link carries it. A tag of very many links is taken from them chunk by chunk, so
 * that nobody waits for long; should the process die on the way, the tag is still there to be deleted again. Throws
 * `not_found`, and `conflict` while a webhook gets the events of this tag: it would fall silent without a word.
 */
export async function deleteTag(principal: Principal, id: string): Promise<void> {
  const tag = await findOwned(Tag, principal, 'tags:write', id, 'tag');
  await refuseWhileWebhookNeedsIt(tag);
  while ((await takeFromLinks(tag.id)) === CHUNK);
  await inTransaction(async (transaction) => {
    const deleted = await Tag.destroy({ where: { id: tag.id }, transaction });
    if (deleted === 0) throw notFound('tag');
    const about = aboutTag(tag, await teamOf(tag.projectId, transaction));
    await recordAudit(transaction, principal, { ...about, action: 'tag.deleted' });
  });
}

async function refuseWhileWebhookNeedsIt({ id, projectId }: Tag): Promise<void> {
  const webhook = await Webhook.findOne({ where: { projectId, tagId: id }, order: [['createdAt', 'ASC']] });
  if (!webhook) return;
  const message = `The webhook ${webhook.id} gets the events of this tag. Give it another scope, or delete it, first.`;
  throw new CodedError('conflict', message);
}

async function takeFromLinks(tagId: string): Promise<number> {
  const taken = await inTransaction((transaction) =>
    selectBound(
      `WITH few AS (SELECT link_id FROM link_tags WHERE tag_id = $1 LIMIT ${CHUNK})
       DELETE FROM link_tags WHERE tag_id = $1 AND link_id IN (SELECT link_id FROM few) RETURNING link_id`,
      [tagId],
      transaction,
    ),
  );
  return taken.length;
}
