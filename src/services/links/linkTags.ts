import { amongValue } from '../../db/among.ts';
import { dialect } from '../../db/database.ts';
import { selectBound } from '../../db/selectBound.ts';
import { Op, type Transaction } from '../../db/sequelize.ts';
import { newId } from '../../kernel/ids.ts';
import { LinkTag } from '../../models/LinkTag.ts';
import { Tag } from '../../models/Tag.ts';

/** Makes the link carry exactly these tags (names; unknown ones are made). Gives the tags, sorted by name. */
export async function setLinkTags(
  projectId: string,
  linkId: string,
  names: string[],
  transaction: Transaction,
): Promise<Tag[]> {
  const tags = await tagsByName(projectId, names, transaction);
  await LinkTag.destroy({ where: { linkId }, transaction });
  await LinkTag.bulkCreate(
    tags.map((tag) => ({ linkId, tagId: tag.id })),
    { transaction },
  );
  return tags;
}

/** The tags of many links in one query; names in alphabetical order. */
export async function tagsOfLinks(
  linkIds: readonly string[],
  transaction?: Transaction,
): Promise<Map<string, TagOfLink[]>> {
  const byLink = new Map<string, TagOfLink[]>(linkIds.map((linkId) => [linkId, []]));
  if (linkIds.length === 0) return byLink;
  const rows = await selectBound<TagOfLink & { linkId: string }>(
    `SELECT link_tags.link_id AS "linkId", tags.id AS id, tags.name AS name
       FROM ${CARRIED[dialect()]} JOIN tags ON tags.id = link_tags.tag_id ORDER BY tags.name_key`,
    [amongValue(linkIds)],
    transaction,
  );
  for (const { linkId, id, name } of rows) byLink.get(linkId)?.push({ id, name });
  return byLink;
}

/** The rows of the links that $1 lists, looked up one by one: a store that was never analysed would read all there are. */
const CARRIED = {
  sqlite: 'json_each($1) AS given CROSS JOIN link_tags ON link_tags.link_id = given.value',
  postgres: `unnest(CAST($1 AS TEXT[])) AS given(id)
    CROSS JOIN LATERAL (SELECT * FROM link_tags WHERE link_tags.link_id = given.id OFFSET 0) AS link_tags`,
};

/** What a name is compared by: names are unique without regard to case. */
export function tagKey(name: string): string {
  return name.trim().toLowerCase();
}

export interface TagOfLink {
  id: string;
  name: string;
}

/** The tags of these names in alphabetical order; unknown ones are made. */
export async function tagsByName(projectId: string, names: string[], transaction: Transaction): Promise<Tag[]> {
  // Of several spellings the first is kept.
  const wanted = new Map(names.toReversed().map((name) => [tagKey(name), name.trim()]));
  if (wanted.size === 0) return [];
  const order: [string, string][] = [['nameKey', 'ASC']];
  const where = { projectId, nameKey: { [Op.in]: [...wanted.keys()] } };
  // Locked as foreign keys will do: a tag that is deleted at the same time is either carried until then, or made anew.
  const found = await Tag.findAll({ where, order, transaction, lock: transaction.LOCK.KEY_SHARE });
  if (found.length === wanted.size) return found;
  const known = new Set(found.map((tag) => tag.nameKey));
  // In one order everywhere: two links that make the same tags the other way round would wait for each other.
  const missing = [...wanted].filter(([nameKey]) => !known.has(nameKey)).sort(([a], [b]) => (a < b ? -1 : 1));
  // Two links that make the same tag at once: the second finds the row of the first instead of failing.
  await Tag.bulkCreate(
    missing.map(([nameKey, name]) => ({ id: newId('tag'), projectId, name, nameKey })),
    { transaction, ignoreDuplicates: true },
  );
  return Tag.findAll({ where, order, transaction, lock: transaction.LOCK.KEY_SHARE });
}
