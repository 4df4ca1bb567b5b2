import { Op, type Transaction } from '../../db/sequelize.ts';
import type { CodedError } from '../../kernel/errors.ts';
import { Link } from '../../models/Link.ts';
import { externalIdTaken, slugTaken } from './duplicates.ts';
import { freeSlugs } from './freeSlugs.ts';
import type { PreparedChange } from './prepareChanges.ts';

/**
 * Whether another link has the new address or external id of a change: looked up before it is written, because on
 * PostgreSQL a broken index ends the whole transaction, and with it the other changes of a list.
 */
export async function takenAddresses(
  link: Link,
  { input, address }: PreparedChange,
  transaction: Transaction,
): Promise<CodedError | null> {
  const next = { domain: link.domain, slug: link.slug, ...address };
  const isMoved = next.domain !== link.domain || next.slug !== link.slug;
  if (isMoved && (await isUsed(link, next, transaction))) {
    await freeSlugs(link.projectId, [next], transaction);
    if (await isUsed(link, next, transaction)) return slugTaken(next);
  }
  const { externalId } = input;
  const isRenamed = externalId && externalId !== link.externalId;
  if (isRenamed && (await isUsed(link, { projectId: link.projectId, externalId }, transaction)))
    return externalIdTaken(externalId);
  return null;
}

async function isUsed(link: Link, where: object, transaction: Transaction): Promise<boolean> {
  const other = await Link.findOne({ attributes: ['id'], where: { ...where, id: { [Op.ne]: link.id } }, transaction });
  return other !== null;
}
