import { withJsonRows } from '../../db/jsonRows.ts';
import type { Transaction } from '../../db/sequelize.ts';
import type { Link } from '../../models/Link.ts';
import { tagKey, tagsByName } from './linkTags.ts';

/** Gives new links their tags (names; unknown ones are made), and sets their `tagNames` and `tagIds`. */
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
  await withJsonRows(
    { link_id: 'text', tag_id: 'text' },
    pairs,
    'INSERT INTO link_tags (link_id, tag_id) SELECT link_id, tag_id FROM given',
    transaction,
  );
}
