import { announce } from '../db/announce.ts';
import type { Transaction } from '../db/sequelize.ts';
import { PRESENTERS } from '../events/presenters.ts';
import { changesBetween, type PresentedLink, presentLink } from '../events/presentLink.ts';
import { type EventScope, recordEvent } from '../events/recordEvent.ts';
import { clock } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import type { Link } from '../models/Link.ts';
import { Project } from '../models/Project.ts';
import { tagsOfLinks } from '../tags/linkTagStore.ts';

type SystemColumns = Partial<
  Pick<Link, 'slug' | 'flaggedAt' | 'flagReason' | 'flaggedBy' | 'clearedVerdict' | 'reviewRequestedAt' | 'scannedAt'>
>;

/** What further events about the same change need. */
export type LinkEvent = EventScope & { shown: PresentedLink };

/**
 * Changes a locked link on behalf of no principal: its flag, or a slug that it has to give up. Records `link.updated` and
 * tells redirects when the change shows. Throws `not_found` when the project of the link was deleted, unless `isDeletedToo`;
 * its event then waits for the restoration.
 */
export async function applySystemChange(
  link: Link,
  columns: SystemColumns,
  transaction: Transaction,
  { isDeletedToo = false } = {},
): Promise<LinkEvent> {
  const projects = isDeletedToo ? Project.unscoped() : Project;
  const project = await projects.findByPk(link.projectId, { transaction });
  if (!project) throw notFound('link');
  const tags = (await tagsOfLinks([link.id], transaction)).get(link.id) ?? [];
  const names = tags.map(({ name }) => name);
  const atMs = clock.now();
  const before = presentLink(link, names, atMs);
  await link.update(columns, { transaction });
  const shown = presentLink(link, names, atMs);
  const scope = {
    teamId: project.teamId,
    projectId: project.id,
    linkId: link.id,
    tagIds: tags.map(({ id }) => id),
  };
  const changes = changesBetween(before, shown);
  if (Object.keys(changes).length > 0) {
    const data = PRESENTERS['link.updated'](shown, changes);
    await recordEvent(transaction, { ...scope, type: 'link.updated', data });
    await announce(transaction, 'link', ...new Set([before, shown].map(({ domain, slug }) => `${domain}/${slug}`)));
  }
  return { ...scope, shown };
}
