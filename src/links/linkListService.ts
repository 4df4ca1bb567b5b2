import { allowInProject, authorizeProject } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { type Order, type Page, type PageRequest, readPage } from '../db/paging.ts';
import { type Bind, buildQuery } from '../db/query.ts';
import { readRowsByIds } from '../db/rows.ts';
import { now } from '../kernel/clock.ts';
import { Link } from '../models/Link.ts';
import { indexSource, smallestSource } from './list/condition.ts';
import { BY_CREATION, creationCondition, type LinkFilter, type LinkQuery, linkQuery } from './list/linkFilter.ts';
import { readLinkPositions } from './list/readLinks.ts';
import { statusSql } from './list/statusCondition.ts';

export type { LinkFilter } from './list/linkFilter.ts';

export interface LinkSort {
  sort?: string | null;
  order?: string | null;
}

/** Sorts that an index serves, by their names on the wire. */
const SORTS: Record<string, Omit<Order, 'direction'>> = {
  created_at: { column: 'created_at', kind: 'time', hasNulls: false },
  clicks: { column: 'clicks', kind: 'number', hasNulls: false },
  last_clicked_at: { column: 'last_clicked_at', kind: 'time', hasNulls: true },
};

/** Links of a project, newest first unless `sort` and `order` say otherwise. */
export async function listLinks(
  principal: Principal,
  projectId: string,
  filter: LinkFilter & LinkSort & PageRequest,
): Promise<Page<Link>> {
  await allowInProject(principal, 'links:read', projectId);
  const { limit, cursor, sort, order: direction, ...filters } = filter;
  const order: Order = { ...sortOf(sort), direction: direction === 'asc' ? 'ASC' : 'DESC' };
  const list = ['links', projectId, filters, order.column, order.direction];
  const query = await linkQuery(projectId, filters);
  const { data, nextCursor } = await readPage(order, { limit, cursor }, list, async (after, count) =>
    query ? readLinkPositions(query, order, after, count) : [],
  );
  return { data: await linksInOrder(data.map(({ id }) => id)), nextCursor };
}

function sortOf(sort: string | null | undefined): Omit<Order, 'direction'> {
  return SORTS[sort ?? 'created_at'] as Omit<Order, 'direction'>;
}

/** The links in the order of their ids, without those that were deleted since the ids were read. */
async function linksInOrder(ids: string[]): Promise<Link[]> {
  if (ids.length === 0) return [];
  const links = new Map((await readRowsByIds(Link, ids)).map((link) => [link.id, link]));
  return ids.flatMap((id) => links.get(id) ?? []);
}

export interface LinkGroup {
  /** A status, tag or domain; null: links without a tag. */
  key: string | null;
  count: number;
}

export interface LinkCount {
  count: number;
  /** In descending order of count; null without `groupBy`. */
  data: LinkGroup[] | null;
}

export type LinkGrouping = 'status' | 'tag' | 'domain';

/** The links to be counted, as a FROM clause. */
type CountedLinks = (bind: Bind) => string;

/**
 * The most links that a look-up is counted for. If every condition matches more, all links of the project are read from an
 * index instead.
 */
const MAX_LOOKED_UP = 200_000;

const GROUPS: Record<LinkGrouping, (links: CountedLinks, bind: Bind) => string> = {
  status: (links, bind) => `SELECT ${statusSql(now(), bind)} AS key, COUNT(*) AS count FROM ${links(bind)} GROUP BY 1`,
  domain: (links, bind) => `SELECT domain AS key, COUNT(*) AS count FROM ${links(bind)} GROUP BY domain`,
  // A link counts with each of its tags.
  tag: (links, bind) => `SELECT tags.name AS key, COUNT(*) AS count FROM (SELECT id FROM ${links(bind)}) AS found
      LEFT JOIN link_tags ON link_tags.link_id = found.id LEFT JOIN tags ON tags.id = link_tags.tag_id
      GROUP BY tags.id, tags.name`,
};

/** Counts the links of a project that match a filter, and by status, tag or domain if asked. */
export async function countLinks(
  principal: Principal,
  projectId: string,
  { groupBy, ...filter }: LinkFilter & { groupBy?: LinkGrouping | null },
): Promise<LinkCount> {
  const project = await authorizeProject(principal, 'links:read', projectId);
  const query = await linkQuery(project.id, filter);
  if (!query) return { count: 0, data: groupBy ? [] : null };
  const links = await countedLinks(query);
  const data = groupBy ? await buildQuery<LinkGroup>((bind) => GROUPS[groupBy](links, bind)) : null;
  const [counted] = await buildQuery<{ count: number }>((bind) => `SELECT COUNT(*) AS count FROM ${links(bind)}`);
  return { count: counted?.count ?? 0, data: data?.sort(byCount) ?? null };
}

/** Tests all conditions on the links that the condition with the fewest matches looks up. */
async function countedLinks(query: LinkQuery): Promise<CountedLinks> {
  const { projectId } = query;
  const creation = creationCondition(query);
  const conditions = creation ? [...query.conditions, creation] : query.conditions;
  const best = await smallestSource(conditions, MAX_LOOKED_UP);
  const source = best?.source ?? indexSource(projectId, BY_CREATION, () => '1 = 1');
  const tests = conditions.filter((condition) => condition !== best?.condition || !source.isExact);
  return (bind) => {
    const where = [source.where(bind), `project_id = ${bind(projectId)}`, ...tests.map(({ test }) => test(bind))];
    return `${source.from} WHERE ${where.join(' AND ')}`;
  };
}

function byCount(one: LinkGroup, other: LinkGroup): number {
  return other.count - one.count || (one.key ?? '').localeCompare(other.key ?? '');
}
