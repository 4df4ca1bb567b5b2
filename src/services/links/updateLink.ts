import type { Principal } from '../../access/principal.ts';
import { announce } from '../../db/announce.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { changesBetween, isWorthTelling } from '../../events/linkChanges.ts';
import { presentLink } from '../../events/presentLink.ts';
import { recordEvent } from '../../events/recordEvent.ts';
import { now } from '../../kernel/clock.ts';
import type { Link } from '../../models/Link.ts';
import type { Project } from '../../models/Project.ts';
import { checkLink, linkDomain } from './checkLink.ts';
import { findLink, lockLink } from './findLink.ts';
import { type LinkInput, linkColumns } from './linkInput.ts';
import { setLinkTags, tagsOfLinks } from './linkTags.ts';
import { refuseDuplicates } from './refuseDuplicates.ts';

/**
 * Changes the fields that are sent; `archived` archives or restores. Throws `not_found`, `validation_failed`,
 * `slug_taken`, `conflict`.
 */
export async function updateLink(
  principal: Principal,
  id: string,
  input: LinkInput & { archived?: boolean | null },
): Promise<Link> {
  const { found, project, address } = await checkLinkChange(principal, id, input);
  try {
    return await inTransaction(async (transaction) => {
      const link = await lockLink(found.id, transaction);
      const columns = { ...linkColumns(input), ...address, ...archivedColumn(link, input.archived) };
      return changeLink(project, link, columns, input.tags, transaction);
    });
  } catch (error) {
    throw refuseDuplicates(error, address.domain ?? found.domain, address.slug ?? found.slug, input);
  }
}

/** Whether the change is possible, without making it: the link, its project, and what is new in its address. */
export async function checkLinkChange(principal: Principal, id: string, input: LinkInput) {
  const { link: found, project } = await findLink(principal, 'links:write', id);
  // Only what was sent: another change may move the link between this look at it and the lock.
  const address = {
    ...(input.domain ? { domain: linkDomain(project, input) } : {}),
    ...(input.slug ? { slug: input.slug } : {}),
  };
  checkLink(project, { ...input, slug: input.slug ?? found.slug }, address.domain ?? found.domain, found);
  return { found, project, address };
}

/** Archiving and restoring are safe to repeat: what is so already changes nothing and tells nobody. */
export function archiveLink(principal: Principal, id: string, archived: boolean): Promise<Link> {
  return updateLink(principal, id, { archived });
}

function archivedColumn(link: Link, archived: boolean | null | undefined): { archivedAt?: Date | null } {
  if (archived === undefined || archived === null || archived === (link.archivedAt !== null)) return {};
  return { archivedAt: archived ? now() : null };
}

async function changeLink(
  project: Project,
  link: Link,
  columns: Record<string, unknown>,
  tagNames: string[] | null | undefined,
  transaction: Transaction,
): Promise<Link> {
  const tagsBefore = (await tagsOfLinks([link.id], transaction)).get(link.id) ?? [];
  const before = presentLink(
    link,
    tagsBefore.map((tag) => tag.name),
  );
  const addressBefore = `${link.domain}/${link.slug}`;
  const tags =
    tagNames === undefined ? tagsBefore : await setLinkTags(project.id, link.id, tagNames ?? [], transaction);
  link.set(columns);
  const after = presentLink(
    link,
    tags.map((tag) => tag.name),
  );
  const changes = changesBetween(before, after);
  if (Object.keys(changes).length === 0) return link;
  // Tags live in their own table; the change of them alone is a change of the link too.
  link.changed('updatedAt', true);
  await link.save({ transaction });
  const event = {
    teamId: project.teamId,
    projectId: project.id,
    linkId: link.id,
    tagIds: [...new Set([...tagsBefore, ...tags].map((tag) => tag.id))],
  };
  const shown = presentLink(
    link,
    tags.map((tag) => tag.name),
  );
  if (isWorthTelling(changes))
    await recordEvent(transaction, { ...event, type: 'link.updated', data: { link: shown, changes } });
  if (changes.archived_at && link.archivedAt) {
    await recordEvent(transaction, { ...event, type: 'link.archived', data: { link: shown } });
  }
  for (const address of new Set([addressBefore, `${link.domain}/${link.slug}`]))
    await announce(transaction, 'link', address);
  return link;
}
