import { sqlTime } from '../../db/jsonRows.ts';
import type { Bind } from '../../db/selectWritten.ts';
import { now } from '../../kernel/clock.ts';
import { canonicalHost } from '../../kernel/origins.ts';
import { type Condition, indexSource } from './condition.ts';
import { searchCondition } from './searchCondition.ts';
import { statusCondition } from './statusCondition.ts';
import { tagCondition } from './tagCondition.ts';

export interface LinkFilter {
  search?: string | null;
  tag?: string | null;
  domain?: string | null;
  status?: string | null;
  externalId?: string | null;
  batchId?: string | null;
  /** From this moment on. */
  createdAfter?: Date | null;
  /** Before this moment. */
  createdBefore?: Date | null;
}

/** Links of a project that satisfy every condition, and were made in this time. */
export interface LinkQuestion {
  projectId: string;
  conditions: Condition[];
  /** Inclusive. */
  createdFrom: Date | null;
  /** Exclusive. */
  createdBefore: Date | null;
}

/** What a filter asks of links, for their list and their count alike; null when there can be none. */
export async function linkQuestion(projectId: string, filter: LinkFilter): Promise<LinkQuestion | null> {
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

/** The time in which links were made, as a condition like the others; null when any will do. */
export function creationCondition({ projectId, createdFrom, createdBefore }: LinkQuestion): Condition | null {
  if (!createdFrom && !createdBefore) return null;
  const test = (bind: Bind) =>
    [
      ...(createdFrom ? [`created_at >= ${bind(sqlTime(createdFrom.getTime()))}`] : []),
      ...(createdBefore ? [`created_at < ${bind(sqlTime(createdBefore.getTime()))}`] : []),
    ].join(' AND ');
  return { test, source: indexSource(projectId, BY_CREATION, test) };
}

/** Index of all links of a project in order of creation. */
export const BY_CREATION = 'links_project_id_created_at_id';

function equality(projectId: string, column: string, value: string, index: string): Condition {
  const test = (bind: Bind) => `${column} = ${bind(value)}`;
  return { test, source: indexSource(projectId, index, test, { isByCreation: index.startsWith('links_by_') }) };
}
