import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { newId } from '../../kernel/ids.ts';
import { Tag } from '../../models/Tag.ts';
import { aboutTag } from './aboutTag.ts';
import { refuseTakenName } from './refuseTakenName.ts';
import { type TagInput, tagColumns } from './tagInput.ts';

/** Makes a tag, which no link carries yet. Throws `conflict` for a name that is taken. */
export async function createTag(
  principal: Principal,
  input: TagInput & { projectId: string; name: string },
): Promise<Tag> {
  const project = await authorizeProject(principal, 'tags:write', input.projectId);
  try {
    return await inTransaction(async (transaction) => {
      const columns = { id: newId('tag'), projectId: project.id, color: null, ...tagColumns(input) };
      const tag = await Tag.create(columns, { transaction });
      await recordAudit(transaction, principal, { ...aboutTag(tag, project), action: 'tag.created' });
      return tag;
    });
  } catch (error) {
    throw refuseTakenName(error, input.name);
  }
}
