import { authorizeProject } from '../access/authorize.ts';
import { findOwned, findOwnedByIds, teamOf } from '../access/findOwned.ts';
import type { Principal } from '../access/principal.ts';
import { recordAudit, recordChange } from '../audit/recordAudit.ts';
import { findPage, type Page, type PageRequest } from '../db/paging.ts';
import { queryRaw } from '../db/query.ts';
import { UniqueConstraintError } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { CodedError, notFound, validationFailed } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { Tag } from '../models/Tag.ts';
import { Webhook } from '../models/Webhook.ts';
import { roomForTags, tagsOfLinks, tooManyTags } from './linkTagStore.ts';
import { tagKey } from './tagNames.ts';

export { linksWithTags } from './linkTagStore.ts';

/** Links that lose a deleted tag in one transaction: about 50 ms, during which other writes on SQLite wait. */
const LINKS_PER_TRANSACTION = 5000;

/** The fields of a tag; one that was not sent is undefined. */
interface TagInput {
  name?: string;
  color?: string | null;
  managedBy?: string | null;
}

/** Creates a tag, which no link has yet. Throws `conflict` for a used name, and `validation_failed` where there are too many. */
export async function createTag(
  principal: Principal,
  input: TagInput & { projectId: string; name: string },
): Promise<Tag> {
  const project = await authorizeProject(principal, 'tags:write', input.projectId);
  try {
    return await inTransaction(async (transaction) => {
      if ((await roomForTags(project.id, transaction)) < 1) throw validationFailed([tooManyTags('name')]);
      const columns = { id: newId('tag'), projectId: project.id, color: null, managedBy: null, ...tagColumns(input) };
      const tag = await Tag.create(columns, { transaction });
      await recordAudit(transaction, principal, { ...auditSubject(tag, project), action: 'tag.created' });
      return tag;
    });
  } catch (error) {
    throw refusalOfDuplicate(error, input.name);
  }
}

/** Tags of a project, newest first. */
export async function listTags(
  principal: Principal,
  projectId: string,
  { managedBy, ...request }: PageRequest & { managedBy?: string | null },
): Promise<Page<Tag>> {
  const project = await authorizeProject(principal, 'tags:read', projectId);
  const order = { attribute: 'createdAt', direction: 'DESC' } as const;
  const where = { projectId: project.id, ...(managedBy ? { managedBy } : {}) };
  return findPage(Tag, where, request, ['tags', project.id, ...(managedBy ? [managedBy] : [])], order);
}

/** The tags with these ids that the principal may read, by id. */
export function tagsOfIds(principal: Principal, ids: readonly string[]): Promise<Map<string, Tag>> {
  return findOwnedByIds(Tag, principal, 'tags:read', ids);
}

/**
 * Changes the fields that were sent. Links with the tag show its new name at once. They get no events, because a tag may have
 * a hundred thousand links. Throws `not_found`, `conflict`.
 */
export async function updateTag(principal: Principal, id: string, input: TagInput): Promise<Tag> {
  const found = await findOwned(Tag, principal, 'tags:write', id, 'tag');
  try {
    return await inTransaction(async (transaction) => {
      const tag = await Tag.findByPk(found.id, { transaction, lock: transaction.LOCK.UPDATE });
      if (!tag) throw notFound('tag');
      const before = { ...tag.get() };
      await tag.update(tagColumns(input), { transaction });
      const subject = auditSubject(tag, await teamOf(tag.projectId, transaction));
      const change = { ...subject, before, after: tag.get(), fields: ['name', 'color', 'managedBy'] };
      await recordChange(transaction, principal, { ...change, action: 'tag.updated' });
      return tag;
    });
  } catch (error) {
    throw refusalOfDuplicate(error, input.name);
  }
}

/**
 * Deletes a tag and removes it from all links. This happens in several transactions for a tag with many links, so that other
 * writes do not wait long; if the process dies in between, the tag still exists and can be deleted again. Throws `not_found`,
 * and `conflict` while a webhook is limited to this tag: it would stop receiving events without notice.
 */
export async function deleteTag(principal: Principal, id: string): Promise<void> {
  const tag = await findOwned(Tag, principal, 'tags:write', id, 'tag');
  await refuseWhileWebhookUsesIt(tag);
  while ((await removeFromLinks(tag.id)) === LINKS_PER_TRANSACTION);
  await inTransaction(async (transaction) => {
    const deleted = await Tag.destroy({ where: { id: tag.id }, transaction });
    if (deleted === 0) throw notFound('tag');
    const subject = auditSubject(tag, await teamOf(tag.projectId, transaction));
    await recordAudit(transaction, principal, { ...subject, action: 'tag.deleted' });
  });
}

async function refuseWhileWebhookUsesIt({ id, projectId }: Tag): Promise<void> {
  const webhook = await Webhook.findOne({ where: { projectId, tagId: id }, order: [['createdAt', 'ASC']] });
  if (!webhook) return;
  const message = `The webhook ${webhook.id} receives the events of this tag. Change its scope or delete it first.`;
  throw new CodedError('conflict', message);
}

/** Removes the tag from up to LINKS_PER_TRANSACTION links. Returns from how many. */
async function removeFromLinks(tagId: string): Promise<number> {
  const removed = await inTransaction((transaction) =>
    queryRaw(
      `WITH few AS (SELECT link_id FROM link_tags WHERE tag_id = $1 LIMIT ${LINKS_PER_TRANSACTION})
       DELETE FROM link_tags WHERE tag_id = $1 AND link_id IN (SELECT link_id FROM few) RETURNING link_id`,
      [tagId],
      transaction,
    ),
  );
  return removed.length;
}

/** The columns that follow from the input. */
function tagColumns({
  name,
  color,
  managedBy,
}: TagInput): Partial<Pick<Tag, 'name' | 'nameKey' | 'color' | 'managedBy'>> {
  return {
    ...(name === undefined ? {} : { name, nameKey: tagKey(name) }),
    ...(color === undefined ? {} : { color }),
    ...(managedBy === undefined ? {} : { managedBy }),
  };
}

/** The tag names of links, by link id. For links that the principal may read: this does not authorize. */
export async function tagNamesOfLinks(linkIds: readonly string[]): Promise<Map<string, string[]>> {
  const tags = await tagsOfLinks(linkIds);
  return new Map([...tags].map(([linkId, ofLink]) => [linkId, ofLink.map(({ name }) => name)]));
}

/** How audit entries name a tag and its owner. The team is separate: a tag has its project only. */
function auditSubject({ id, name, projectId }: Tag, { teamId }: { teamId: string }) {
  return { teamId, projectId, subjectId: id, subjectName: name };
}

/** `conflict` for a violated unique index of names; returns every other error as it is. */
function refusalOfDuplicate(error: unknown, name: string | undefined): unknown {
  if (!(error instanceof UniqueConstraintError)) return error;
  return new CodedError('conflict', `A tag "${name}" exists already; upper and lower case are not distinguished.`);
}
