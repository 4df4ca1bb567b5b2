import type { Bind } from '../../db/query.ts';
import { Op } from '../../db/sequelize.ts';
import { Tag } from '../../models/Tag.ts';
import { isOneOfTags, taggedLinks } from '../../tags/linkTagStore.ts';
import { tagKey } from '../../tags/tagNames.ts';
import type { Condition } from './condition.ts';

/** Whether a link must have each of several tags, or one of them. */
export type TagMode = 'any' | 'all';

/** The conditions that a link has the tags of these names; `NO_LINK` when the project has no such tags. */
export async function tagConditions(projectId: string, names: string[], mode: TagMode): Promise<Condition[]> {
  const keys = [...new Set(names.map(tagKey))];
  const where = { projectId, nameKey: { [Op.in]: keys } };
  const ids = (await Tag.findAll({ where, attributes: ['id'] })).map(({ id }) => id);
  if (ids.length === 0 || (mode === 'all' && ids.length < keys.length)) return [NO_LINK];
  return mode === 'all' ? ids.map((id) => tagCondition([id])) : [tagCondition(ids)];
}

/** No link has a tag that the project does not have. */
export const NO_LINK: Condition = { test: () => '1 = 0', facet: 'tag' };

/** The conditions that a link has no tag, and that it has one. */
export const UNTAGGED: Condition = { test: () => `${countTags('1 = 1')} = 0`, facet: 'tag' };
export const TAGGED: Condition = { test: () => `${countTags('1 = 1')} > 0`, facet: 'tag' };

/** The condition that a link has one of these tags. */
function tagCondition(tagIds: string[]): Condition {
  const isTag = (bind: Bind) => isOneOfTags(tagIds, bind);
  const { from, where } = taggedLinks(tagIds);
  return {
    test: (bind) => `${countTags(isTag(bind))} > 0`,
    source: {
      from,
      where,
      entries: (bind) => `link_tags WHERE ${isTag(bind)}`,
      isExact: true,
      isByCreation: false,
    },
    facet: 'tag',
  };
}

/** A count, because a store may turn EXISTS into a join and lose the order in which links are read. */
function countTags(condition: string): string {
  return `(SELECT COUNT(*) FROM link_tags WHERE link_tags.link_id = links.id AND ${condition})`;
}
