import { announce } from '../db/announce.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { PRESENTERS } from '../events/presenters.ts';
import { presentLink } from '../events/presentLink.ts';
import { recordEvents } from '../events/recordEvent.ts';
import { type CodedError, notFound } from '../kernel/errors.ts';
import { mapYielding } from '../kernel/yield.ts';
import { Link } from '../models/Link.ts';
import type { Project } from '../models/Project.ts';
import { tagsOfLinks } from '../tags/linkTagStore.ts';
import { linksByIds } from './linkStore.ts';

/**
 * Deletes links of a project for good and frees their slugs; analytics keeps their clicks. Returns the deleted link or
 * `not_found` for each id, in their order; an id that is listed twice is not found the second time.
 */
export async function deleteLinks(
  project: Project,
  ids: string[],
  transaction: Transaction,
): Promise<(Link | CodedError)[]> {
  const links = await linksByIds(project, ids, { transaction, isLocked: true });
  const found = [...links.values()];
  const tags = await tagsOfLinks([...links.keys()], transaction);
  await Link.destroy({ where: { id: { [Op.in]: [...links.keys()] } }, transaction });
  await recordEvents(
    transaction,
    await mapYielding(found, (link) => {
      const carried = tags.get(link.id) ?? [];
      // An answer that shows the deleted link can no longer read its tags from the store.
      link.tagNames = carried.map((tag) => tag.name);
      return {
        type: 'link.deleted' as const,
        teamId: project.teamId,
        projectId: project.id,
        linkId: link.id,
        tagIds: carried.map((tag) => tag.id),
        data: PRESENTERS['link.deleted'](presentLink(link, link.tagNames)),
      };
    }),
  );
  await announce(transaction, 'link', ...found.map((link) => `${link.domain}/${link.slug}`));
  return ids.map((id) => {
    const link = links.get(id);
    links.delete(id);
    return link ?? notFound('link');
  });
}
