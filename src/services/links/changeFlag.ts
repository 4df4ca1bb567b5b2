import { announce } from '../../db/announce.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { changesBetween } from '../../events/linkChanges.ts';
import { PRESENTERS } from '../../events/presenters.ts';
import { type PresentedLink, presentLink } from '../../events/presentLink.ts';
import { type EventScope, recordEvent } from '../../events/recordEvent.ts';
import { clock } from '../../kernel/clock.ts';
import { Link } from '../../models/Link.ts';
import { Project } from '../../models/Project.ts';
import { tagsOfLinks } from './linkTags.ts';

type FlagColumns = Partial<
  Pick<Link, 'flaggedAt' | 'flagReason' | 'flaggedBy' | 'clearedVerdict' | 'reviewRequestedAt' | 'scannedAt'>
>;

/** What events about a link have in common. */
export type LinkEvent = EventScope & { shown: PresentedLink };

/** The link as it is now, locked until the transaction ends; null when it is gone. */
export function lockLink(id: string, transaction: Transaction): Promise<Link | null> {
  return Link.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE });
}

/** Changes the flag of a locked link, and tells receivers and redirects when it shows. Gives what more events need. */
export async function changeFlag(link: Link, columns: FlagColumns, transaction: Transaction): Promise<LinkEvent> {
  const project = await Project.findByPk(link.projectId, { transaction, rejectOnEmpty: true });
  const tags = (await tagsOfLinks([link.id], transaction)).get(link.id) ?? [];
  const names = tags.map(({ name }) => name);
  const atMs = clock.now();
  const before = presentLink(link, names, atMs);
  await link.update(columns, { transaction });
  const shown = presentLink(link, names, atMs);
  const event = {
    teamId: project.teamId,
    projectId: project.id,
    linkId: link.id,
    tagIds: tags.map(({ id }) => id),
  };
  const changes = changesBetween(before, shown);
  if (Object.keys(changes).length > 0) {
    await recordEvent(transaction, {
      ...event,
      type: 'link.updated',
      data: PRESENTERS['link.updated'](shown, changes),
    });
    await announce(transaction, 'link', `${link.domain}/${link.slug}`);
  }
  return { ...event, shown };
}
