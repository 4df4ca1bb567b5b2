import { dialect } from '../db/connection/database.ts';
import { inList, inListValue } from '../db/dialects.ts';
import { insertInto } from '../db/jsonRows.ts';
import { type Bind, queryRaw } from '../db/query.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { newId } from '../kernel/ids.ts';
import type { Link } from '../models/Link.ts';
import { LinkTag } from '../models/LinkTag.ts';
import { Tag } from '../models/Tag.ts';
import { type TagOfLink, tagKey } from './tagNames.ts';

/** Sets the tags of the link to exactly these names, creating unknown ones. Returns the tags, sorted by name. */
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

/** The tags of many links in one query, by link id and in alphabetical order. */
export async function tagsOfLinks(
  linkIds: readonly string[],
  transaction?: Transaction,
): Promise<Map<string, TagOfLink[]>> {
  const byLink = new Map<string, TagOfLink[]>(linkIds.map((linkId) => [linkId, []]));
  if (linkIds.length === 0) return byLink;
  const rows = await queryRaw<TagOfLink & { linkId: string }>(
    `SELECT link_tags.link_id AS "linkId", tags.id AS id, tags.name AS name
       FROM ${LINK_TAGS[dialect()]} JOIN tags ON tags.id = link_tags.tag_id ORDER BY tags.name_key`,
    [inListValue(linkIds)],
    transaction,
  );
  for (const { linkId, id, name } of rows) byLink.get(linkId)?.push({ id, name });
  return byLink;
}

/** The tags of the links in $1, looked up link by link: a store without statistics would read the whole table. */
const LINK_TAGS = {
  sqlite: 'json_each($1) AS given CROSS JOIN link_tags ON link_tags.link_id = given.value',
  postgres: `unnest(CAST($1 AS TEXT[])) AS given(id)
    CROSS JOIN LATERAL (SELECT * FROM link_tags WHERE link_tags.link_id = given.id OFFSET 0) AS link_tags`,
};

/** SQL for "the tag of this row is one of these". SQLite looks a single value up twice as fast as a list of one. */
export function isOneOfTags(tagIds: string[], bind: Bind, table = 'link_tags'): string {
  const column = `${table}.tag_id`;
  return tagIds.length === 1 ? `${column} = ${bind(tagIds[0])}` : inList(column, bind(inListValue(tagIds)));
}

/** A FROM clause and its condition for the links that carry one of these tags, each once. */
export function taggedLinks(tagIds: string[]): { from: string; where(bind: Bind): string } {
  const isTag = (bind: Bind, table?: string) => isOneOfTags(tagIds, bind, table);
  if (dialect() === 'postgres') {
    // An array, because PostgreSQL would plan a join by the number of all tagged links.
    const where = (bind: Bind) => `links.id = ANY (ARRAY(SELECT link_id FROM link_tags WHERE ${isTag(bind)}))`;
    return { from: 'links', where };
  }
  const isFirst = (bind: Bind) => `NOT EXISTS (SELECT 1 FROM link_tags AS earlier
    WHERE earlier.link_id = link_tags.link_id AND earlier.tag_id < link_tags.tag_id AND ${isTag(bind, 'earlier')})`;
  return {
    from: 'link_tags CROSS JOIN links ON links.id = link_tags.link_id',
    where: (bind) => (tagIds.length === 1 ? isTag(bind) : `${isTag(bind)} AND ${isFirst(bind)}`),
  };
}

/**
 * How many links of a project each tag has, and under null how many have none. Counted in the index of tags, twice as fast
 * as from the links.
 */
export async function tagCounts(projectId: string): Promise<{ key: string | null; count: number }[]> {
  const rows = await queryRaw<{ key: string | null; count: number }>(
    `SELECT name AS key, (SELECT COUNT(*) FROM link_tags WHERE link_tags.tag_id = tags.id) AS count
       FROM tags WHERE project_id = $1
     UNION ALL SELECT NULL, COUNT(*) FROM links WHERE project_id = $1
       AND NOT EXISTS (SELECT 1 FROM link_tags WHERE link_tags.link_id = links.id)`,
    [projectId],
  );
  return rows.filter(({ count }) => count > 0);
}

/** How many links have each of these tags, by the ids of tags; archived links count too. */
export async function linksWithTags(tagIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await queryRaw<{ id: string; count: number }>(
    `SELECT id, (SELECT COUNT(*) FROM link_tags WHERE link_tags.tag_id = tags.id) AS count
       FROM tags WHERE ${inList('id', '$1')}`,
    [inListValue(tagIds)],
  );
  return new Map(rows.map(({ id, count }) => [id, Number(count)]));
}

/** The tags of these names in alphabetical order; unknown ones are created. */
export async function tagsByName(projectId: string, names: string[], transaction: Transaction): Promise<Tag[]> {
  // The first of several spellings wins.
  const wanted = new Map(names.toReversed().map((name) => [tagKey(name), name.trim()]));
  if (wanted.size === 0) return [];
  const order: [string, string][] = [['nameKey', 'ASC']];
  const where = { projectId, nameKey: { [Op.in]: [...wanted.keys()] } };
  // The lock of a foreign key: a tag that is being deleted is either used before that or created again.
  const found = await Tag.findAll({ where, order, transaction, lock: transaction.LOCK.KEY_SHARE });
  if (found.length === wanted.size) return found;
  const known = new Set(found.map((tag) => tag.nameKey));
  // Always in the same order: two links that create the same tags in different orders would deadlock.
  const missing = [...wanted].filter(([nameKey]) => !known.has(nameKey)).sort(([a], [b]) => (a < b ? -1 : 1));
  // When two links create the same tag at once, the second uses the row of the first instead of failing.
  await Tag.bulkCreate(
    missing.map(([nameKey, name]) => ({ id: newId('tag'), projectId, name, nameKey })),
    { transaction, ignoreDuplicates: true },
  );
  return Tag.findAll({ where, order, transaction, lock: transaction.LOCK.KEY_SHARE });
}

/** Adds tags to new links by name, creating unknown ones, and sets their `tagNames` and `tagIds`. */
export async function attachTags(
  projectId: string,
  links: { link: Link; names: string[] }[],
  transaction: Transaction,
): Promise<void> {
  const tags = await tagsByName(projectId, [...new Set(links.flatMap(({ names }) => names))], transaction);
  const pairs: [string, string][] = [];
  for (const { link, names } of links) {
    const keys = new Set(names.map(tagKey));
    // In alphabetical order, as tags are shown everywhere.
    const carried = tags.filter((tag) => keys.has(tag.nameKey));
    link.tagNames = carried.map((tag) => tag.name);
    link.tagIds = carried.map((tag) => tag.id);
    for (const tag of carried) pairs.push([link.id, tag.id]);
  }
  await insertInto('link_tags', { link_id: 'text', tag_id: 'text' }, pairs, { transaction });
}
