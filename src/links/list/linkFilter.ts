import { inList, inListValue } from '../../db/dialects.ts';
import { sqlTime } from '../../db/jsonRows.ts';
import type { Bind } from '../../db/query.ts';
import { now } from '../../kernel/clock.ts';
import { canonicalHost } from '../../kernel/origins.ts';
import { type Condition, indexSource } from './condition.ts';
import { creatorCondition } from './creatorCondition.ts';
import { shortUrlCondition } from './exactMatches.ts';
import { searchCondition } from './searchCondition.ts';
import { statusCondition } from './statusCondition.ts';
import { NO_LINK, TAGGED, type TagMode, tagConditions, UNTAGGED } from './tagConditions.ts';

/** The index of all links of a project in order of creation. */
export const BY_CREATION = 'links_project_id_created_at_id';

export interface LinkFilter {
  ids?: string[] | null;
  search?: string | null;
  tag?: string | null;
  tags?: string[] | null;
  /** Of `tags`; `any` unless given. */
  tagMode?: TagMode | null;
  isUntagged?: boolean | null;
  /** The id of a user or a key. */
  createdBy?: string | null;
  hasRouting?: boolean | null;
  domain?: string | null;
  status?: string | null;
  externalId?: string | null;
  managedBy?: string | null;
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

/** Links whose routing is not only an empty object. */
const ROUTED = "(routing IS NOT NULL AND CAST(routing AS TEXT) <> '{}')";

/**
 * Turns a filter into conditions, for lists and counts alike. `pastesShortUrls`: a search for
 * the short URL of a link finds that link.
 */
export async function linkQuery(
  projectId: string,
  filter: LinkFilter,
  { pastesShortUrls = false } = {},
): Promise<LinkQuery> {
  const { externalId, managedBy, batchId, search, status, domain, createdBy } = filter;
  const conditions = await taggedConditions(projectId, filter);
  let createdFrom = filter.createdAfter ?? null;
  if (filter.ids) conditions.push(oneOf(projectId, filter.ids));
  if (externalId) conditions.push(equality(projectId, 'external_id', externalId, 'links_project_id_external_id'));
  if (managedBy) conditions.push(equality(projectId, 'managed_by', managedBy, 'links_by_manager'));
  if (batchId) conditions.push(equality(projectId, 'batch_id', batchId, 'links_by_batch'));
  const pasted = search && pastesShortUrls ? await shortUrlCondition(projectId, search) : null;
  if (pasted) conditions.push(pasted);
  else if (search) {
    const { condition, since } = await searchCondition(projectId, search);
    conditions.push(condition);
    if (since && (!createdFrom || since > createdFrom)) createdFrom = since;
  }
  if (status) conditions.push({ ...statusCondition(projectId, status, now()), facet: 'status' });
  if (domain) {
    conditions.push({ ...equality(projectId, 'domain', storedDomain(domain), 'links_by_domain'), facet: 'domain' });
  }
  if (createdBy) conditions.push(creatorCondition(projectId, createdBy));
  if (typeof filter.hasRouting === 'boolean') {
    conditions.push({ test: () => (filter.hasRouting ? ROUTED : `NOT ${ROUTED}`) });
  }
  return { projectId, conditions, createdFrom, createdBefore: filter.createdBefore ?? null };
}

/** Whether no link can match, because the project has none of the tags. */
export function isEmpty({ conditions }: LinkQuery): boolean {
  return conditions.includes(NO_LINK);
}

async function taggedConditions(
  projectId: string,
  { tag, tags, tagMode, isUntagged }: LinkFilter,
): Promise<Condition[]> {
  const one = tag ? await tagConditions(projectId, [tag], 'all') : [];
  const several = tags && tags.length > 0 ? await tagConditions(projectId, tags, tagMode ?? 'any') : [];
  const tagCount = typeof isUntagged === 'boolean' ? [isUntagged ? UNTAGGED : TAGGED] : [];
  return [...one, ...several, ...tagCount];
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

/** A domain as links have it. */
export function storedDomain(domain: string): string {
  return canonicalHost(domain) ?? domain;
}

/** All conditions, with the period of creation. */
export function allConditions(query: LinkQuery): Condition[] {
  const creation = creationCondition(query);
  return creation ? [...query.conditions, creation] : query.conditions;
}

function oneOf(projectId: string, ids: string[]): Condition {
  const test = (bind: Bind) => inList('links.id', bind(inListValue(ids)));
  const where = (bind: Bind) => `links.project_id = ${bind(projectId)} AND ${test(bind)}`;
  const entries = (bind: Bind) => `links WHERE ${where(bind)}`;
  return { test, source: { from: 'links', where, entries, isExact: true, isByCreation: false } };
}

function equality(projectId: string, column: string, value: string, index: string): Condition {
  const test = (bind: Bind) => `${column} = ${bind(value)}`;
  return { test, source: indexSource(projectId, index, test, { isByCreation: index.startsWith('links_by_') }) };
}
