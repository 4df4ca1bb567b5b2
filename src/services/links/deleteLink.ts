import type { Principal } from '../../access/principal.ts';
import { announce } from '../../db/announce.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { presentLink } from '../../events/presentLink.ts';
import { recordEvent } from '../../events/recordEvent.ts';
import { findLink, lockLink } from './findLink.ts';
import { tagsOfLinks } from './linkTags.ts';

/** Deletes a link for good and frees its slug; its clicks stay in the figures. Throws `not_found`. */
export async function deleteLink(principal: Principal, id: string): Promise<void> {
  const { link: found, project } = await findLink(principal, 'links:write', id);
  await inTransaction(async (transaction) => {
    const link = await lockLink(found.id, transaction);
    const tags = (await tagsOfLinks([link.id], transaction)).get(link.id) ?? [];
    await link.destroy({ transaction });
    await recordEvent(transaction, {
      type: 'link.deleted',
      teamId: project.teamId,
      projectId: project.id,
      linkId: link.id,
      tagIds: tags.map((tag) => tag.id),
      data: {
        link: presentLink(
          link,
          tags.map((tag) => tag.name),
        ),
      },
    });
    await announce(transaction, 'link', `${link.domain}/${link.slug}`);
  });
}
