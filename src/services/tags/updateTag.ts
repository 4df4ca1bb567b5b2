import type { Principal } from '../../access/principal.ts';
import { recordChange } from '../../audit/recordChange.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { notFound } from '../../kernel/errors.ts';
import { Tag } from '../../models/Tag.ts';
import { findOwned } from '../findOwned.ts';
import { teamOf } from '../projects/teamOf.ts';
import { aboutTag } from './aboutTag.ts';
import { refuseTakenName } from './refuseTakenName.ts';
import { type TagInput, tagColumns } from './tagInput.ts';

/**
 * Changes the fields that are sent. Links that carry the tag show its new name at once, and no event is recorded for
 * them: there may be a hundred thousand. Throws `not_found`, `conflict`.
 */
export async function updateTag(principal: Principal, id: string, input: TagInput): Promise<Tag> {
  const found = await findOwned(Tag, principal, 'tags:write', id, 'tag');
  try {
    return await inTransaction(async (transaction) => {
      const tag = await Tag.findByPk(found.id, { transaction, lock: transaction.LOCK.UPDATE });
      if (!tag) throw notFound('tag');
      const before = { ...tag.get() };
      await tag.update(tagColumns(input), { transaction });
      const about = aboutTag(tag, await teamOf(tag.projectId, transaction));
      const change = { ...about, before, after: tag.get(), fields: ['name', 'color'] };
      await recordChange(transaction, principal, { ...change, action: 'tag.updated' });
      return tag;
    });
  } catch (error) {
    throw refuseTakenName(error, input.name);
  }
}
