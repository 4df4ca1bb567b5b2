import { dialect } from '../../db/database.ts';
import type { Bind } from '../../db/selectWritten.ts';
import { Tag } from '../../models/Tag.ts';
import type { Condition } from './condition.ts';
import { tagKey } from './linkTags.ts';

/** That a link carries the tag of this name; null when the project has no such tag. */
export async function tagCondition(projectId: string, name: string): Promise<Condition | null> {
  const tag = await Tag.findOne({ where: { projectId, nameKey: tagKey(name) }, attributes: ['id'] });
  if (!tag) return null;
  const isTag = (bind: Bind) => `link_tags.tag_id = ${bind(tag.id)}`;
  const from = { sqlite: 'link_tags CROSS JOIN links ON links.id = link_tags.link_id', postgres: 'links' };
  const where = {
    sqlite: isTag,
    // An array: as a join it would be planned by the number of all links that have tags.
    postgres: (bind: Bind) => `links.id = ANY (ARRAY(SELECT link_id FROM link_tags WHERE ${isTag(bind)}))`,
  };
  return {
    // As a number: from EXISTS a store may make a join, and give up the order in which links are read.
    test: (bind) => `(SELECT COUNT(*) FROM link_tags WHERE link_tags.link_id = links.id AND ${isTag(bind)}) > 0`,
    source: {
      from: from[dialect()],
      where: where[dialect()],
      entries: (bind) => `link_tags WHERE ${isTag(bind)}`,
      isExact: true,
      isByCreation: false,
    },
  };
}
