import { sqlTime } from '../../db/jsonRows.ts';
import type { Bind } from '../../db/query.ts';
import { now } from '../../kernel/clock.ts';
import { canonicalHost } from '../../kernel/origins.ts';
import { Tag } from '../../models/Tag.ts';
import { taggedLinks, tagKey } from '../../tags/linkTagStore.ts';
import { type Condition, indexSource } from './condition.ts';
import { searchCondition } from './searchCondition.ts';
import { statusCondition } from './statusCondition.ts';

/** The index of all links of a project in order of creation. */
export const BY_CREATION = 'links_project_id_created_at_id';

export interface LinkFilter {
  search?: string | null;
  tag?: string | null;
  domain?: string | null;
  status?: string | null;
  externalId?: string | null;
  batchId?: string | null;
  /** Inclusive. */
  createdAfter?: Date | null;
  /** Exclusive. */
  createdBefore?: Date | null;
}

/** The links of a project that satisfy every condition and were created in this period. */
export interface LinkQuery {
  projectId: string;
  conditions: Condition[];
  /** Inclusive. */
  createdFrom: Date | null;
  /** Exclusive. */
  createdBefore: Date | null;
}

/** Turns a filter into conditions, for lists and counts alike; null when no link can match. */
export async function linkQuery(projectId: string, filter: LinkFilter): Promise<LinkQuery | null> {
  const conditions: Condition[] = [];
  let createdFrom = filter.createdAfter ?? null;
  const { externalId, batchId, tag, search, status, domain } = filter;
  if (externalId) conditions.push(equality(projectId, 'external_id', externalId, 'links_project_id_external_id'));
  if (batchId) conditions.push(equality(projectId, 'batch_id', batchId, 'links_by_batch'));
  if (tag) {
    const condition = await tagCondition(projectId, tag);
    if (!condition) return null;
    conditions.push(condition);
  }
  if (search) {
    const { condition, since } = await searchCondition(projectId, search);
    conditions.push(condition);
    if (since && (!createdFrom || since > createdFrom)) createdFrom = since;
  }
  if (status) conditions.push(statusCondition(projectId, status, now()));
  if (domain) conditions.push(equality(projectId, 'domain', canonicalHost(domain) ?? domain, 'links_by_domain'));
  return { projectId, conditions, createdFrom, createdBefore: filter.createdBefore ?? null };
}

/** The period of creation as a condition like the others; null when it is unbounded. */
export function creationCondition({ projectId, createdFrom, createdBefore }: LinkQuery): Condition | null {
  if (!createdFrom && !createdBefore) return null;
  const test = (bind: Bind) =>
    [
      ...(createdFrom ? [`created_at >= ${bind(sqlTime(createdFrom.getTime()))}`] : []),
      ...(createdBefore ? [`created_at < ${bind(sqlTime(createdBefore.getTime()))}`] : []),
    ].join(' AND ');
  return { test, source: indexSource(projectId, BY_CREATION, test) };
}

function equality(projectId: string, column: string, value: string, index: string): Condition {
  const test = (bind: Bind) => `${column} = ${bind(value)}`;
  return { test, source: indexSource(projectId, index, test, { isByCreation: index.startsWith('links_by_') }) };
}

/** The condition that a link has the tag of this name; null when the project has no such tag. */
async function tagCondition(projectId: string, name: string): Promise<Condition | null> {
  const tag = await Tag.findOne({ where: { projectId, nameKey: tagKey(name) }, attributes: ['id'] });
  if (!tag) return null;
  const isTag = (bind: Bind) => `link_tags.tag_id = ${bind(tag.id)}`;
  const { from, where } = taggedLinks(isTag);
  return {
    // A count, because a store may turn EXISTS into a join and lose the order in which links are read.
    test: (bind) => `(SELECT COUNT(*) FROM link_tags WHERE link_tags.link_id = links.id AND ${isTag(bind)}) > 0`,
    source: {
      from,
      where,
      entries: (bind) => `link_tags WHERE ${isTag(bind)}`,
      isExact: true,
      isByCreation: false,
    },
  };
}
