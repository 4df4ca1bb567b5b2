import { dialect } from '../db/connection/database.ts';
import { inList, inListValue, rowLock } from '../db/dialects.ts';
import { insertInto } from '../db/jsonRows.ts';
import { type Bind, queryRaw } from '../db/query.ts';
import { insertRows, newRow } from '../db/rows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { chunksOf } from '../kernel/chunks.ts';
import { config } from '../kernel/config.ts';
import { type FieldProblem, validationFailed } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { mapYielding } from '../kernel/yield.ts';
import type { Link } from '../models/Link.ts';
import { LinkTag } from '../models/LinkTag.ts';
import { Tag } from '../models/Tag.ts';
import { type TagOfLink, tagKey } from './tagNames.ts';

/** A tag with the name by which it is compared. */
export interface NamedTag extends TagOfLink {
  nameKey: string;
}

/** Sets the tags of the link to exactly these names, creating unknown ones. Returns the tags, sorted by name. */
export async function setLinkTags(
  projectId: string,
  linkId: string,
  names: string[],
  transaction: Transaction,
): Promise<NamedTag[]> {
  const tags = await tagsByName(projectId, names, transaction);
  await LinkTag.destroy({ where: { linkId }, transaction });
  await insertPairs(
    tags.map(({ id }) => [linkId, id]),
    transaction,
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

/**
 * The tags of these names in alphabetical order; unknown ones are created. Throws `validation_failed` where the project would
 * have more than TAGS_PER_PROJECT.
 */
export async function tagsByName(projectId: string, names: string[], transaction: Transaction): Promise<NamedTag[]> {
  // The first of several spellings wins.
  const wanted = new Map(names.toReversed().map((name) => [tagKey(name), name.trim()]));
  if (wanted.size === 0) return [];
  const found = await knownTags(projectId, wanted.keys(), transaction);
  if (found.length === wanted.size) return found;
  const known = new Set(found.map((tag) => tag.nameKey));
  // Always in the same order: two links that create the same tags in different orders would deadlock.
  const missing = [...wanted].filter(([nameKey]) => !known.has(nameKey)).sort(([a], [b]) => (a < b ? -1 : 1));
  if (missing.length > (await roomForTags(projectId, transaction))) throw validationFailed([tooManyTags('tags')]);
  await insertTags(projectId, missing, transaction);
  return knownTags(projectId, wanted.keys(), transaction);
}

/** The tags with these keys in alphabetical order. */
function knownTags(projectId: string, keys: Iterable<string>, transaction: Transaction): Promise<NamedTag[]> {
  // The lock of a foreign key: a tag that is being deleted is either used before that or created again.
  const sql = `SELECT id, name, name_key AS "nameKey" FROM tags
    WHERE project_id = $1 AND ${inList('name_key', '$2')} ORDER BY name_key ${rowLock('FOR KEY SHARE')}`;
  return queryRaw<NamedTag>(sql, [projectId, inListValue([...keys])], transaction);
}

/** Which of these keys no tag of the project has. */
export async function unknownTagKeys(
  projectId: string,
  keys: ReadonlySet<string>,
  transaction: Transaction,
): Promise<Set<string>> {
  const sql = `SELECT name_key AS "nameKey" FROM tags WHERE project_id = $1 AND ${inList('name_key', '$2')}`;
  const rows = await queryRaw<{ nameKey: string }>(sql, [projectId, inListValue([...keys])], transaction);
  const unknown = new Set(keys);
  for (const { nameKey } of rows) unknown.delete(nameKey);
  return unknown;
}

/** How many more tags the project may have. */
export async function roomForTags(projectId: string, transaction?: Transaction): Promise<number> {
  const sql = 'SELECT COUNT(*) AS count FROM tags WHERE project_id = $1';
  const [row] = await queryRaw<{ count: number }>(sql, [projectId], transaction);
  return Math.max(0, config.tagsPerProject - Number(row?.count ?? 0));
}

/** The problem of a field whose tags would be too many for the project. */
export function tooManyTags(path: string): FieldProblem {
  const message = `The project would have more than ${config.tagsPerProject} tags, the maximum. Use tags that exist, or delete some first.`;
  return { path, message };
}

/** When two links create the same tag at once, the second uses the row of the first instead of failing. */
async function insertTags(projectId: string, tags: [nameKey: string, name: string][], transaction: Transaction) {
  const rows = tags.map(([nameKey, name]) => newRow(Tag, { id: newId('tag'), projectId, name, nameKey }));
  await insertRows(Tag, rows, { transaction, onConflict: 'ON CONFLICT DO NOTHING' });
}

/** Pairs of one statement: some milliseconds of JSON. */
const PAIRS_PER_STATEMENT = 5000;

async function insertPairs(pairs: [linkId: string, tagId: string][], transaction: Transaction): Promise<void> {
  for (const part of chunksOf(pairs, PAIRS_PER_STATEMENT))
    await insertInto('link_tags', { link_id: 'text', tag_id: 'text' }, part, { transaction });
}

/** Finds the tags of links in a list that is sorted as tags are shown. */
export class SortedTags {
  readonly #places = new Map<string, { at: number; tag: NamedTag }>();

  constructor(tags: readonly NamedTag[]) {
    for (const [at, tag] of tags.entries()) this.#places.set(tag.nameKey, { at, tag });
  }

  /** The tags of these names that are in the list, each once and in its order: the work of one link, whatever its length. */
  named(names: readonly string[]): NamedTag[] {
    const found = new Set(names.map((name) => this.#places.get(tagKey(name))));
    found.delete(undefined);
    return [...found]
      .map((place) => place as { at: number; tag: NamedTag })
      .sort((a, b) => a.at - b.at)
      .map(({ tag }) => tag);
  }
}

/** Adds tags to new links by name, creating unknown ones, and sets their `tagNames` and `tagIds`. */
export async function attachTags(
  projectId: string,
  links: { link: Link; names: string[] }[],
  transaction: Transaction,
): Promise<void> {
  const tags = new SortedTags(
    await tagsByName(projectId, [...new Set(links.flatMap(({ names }) => names))], transaction),
  );
  const pairs: [string, string][] = [];
  await mapYielding(links, ({ link, names }) => {
    const carried = tags.named(names);
    link.tagNames = carried.map((tag) => tag.name);
    link.tagIds = carried.map((tag) => tag.id);
    for (const tag of carried) pairs.push([link.id, tag.id]);
  });
  await insertPairs(pairs, transaction);
}
