import { allowInProject } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { inList, inListValue } from '../db/dialects.ts';
import { type Order, type Page, type PageRequest, readPage } from '../db/paging.ts';
import type { Link } from '../models/Link.ts';
import { linksInOrder } from './linkStore.ts';
import { type Condition } from './list/condition.ts';
import { linksWithSlug } from './list/exactMatches.ts';
import { allConditions, isEmpty, type LinkFilter, type LinkQuery, linkQuery } from './list/linkFilter.ts';
import { readLinkPositions } from './list/readLinks.ts';

export type { LinkFilter } from './list/linkFilter.ts';
export type { TagMode } from './list/tagConditions.ts';

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

/**
 * Links of a project, newest first unless `sort` and `order` say otherwise. When people search, links whose slug is what
 * they search for come before all others.
 */
export async function listLinks(
  principal: Principal,
  projectId: string,
  filter: LinkFilter & LinkSort & PageRequest,
): Promise<Page<Link>> {
  await allowInProject(principal, 'links:read', projectId);
  const { limit, cursor, sort, order: direction, ...filters } = filter;
  const order: Order = { ...sortOf(sort), direction: direction === 'asc' ? 'ASC' : 'DESC' };
  const list = ['links', projectId, filters, order.column, order.direction];
  const query = await linkQuery(projectId, filters, searchOptions(principal));
  const exact = principal.kind === 'session' && !isEmpty(query) ? await exactLinks(query, filters.search) : [];
  const { data, nextCursor } = await readPage(order, { limit, cursor }, list, async (after, count) => {
    if (isEmpty(query)) return [];
    // The position of the last row begins the next page, so that it must be one in order.
    if (exact.length === 0 || count - 1 <= exact.length) return readLinkPositions(query, order, after, count);
    const first = after === null ? exact.map((id) => ({ id, value: null })) : [];
    const others = { ...query, conditions: [...query.conditions, without(exact)] };
    return [...first, ...(await readLinkPositions(others, order, after, count - first.length))];
  });
  return { data: await linksInOrder(data.map(({ id }) => id)), nextCursor };
}

/** People paste short URLs into their search. Lists of keys stay as the REST contract has them. */
export function searchOptions({ kind }: Principal) {
  return { pastesShortUrls: kind === 'session' };
}

async function exactLinks(query: LinkQuery, search: string | null | undefined): Promise<string[]> {
  return search ? linksWithSlug(query.projectId, search, allConditions(query)) : [];
}

function without(ids: string[]): Condition {
  return { test: (bind) => `NOT ${inList('links.id', bind(inListValue(ids)))}` };
}

function sortOf(sort: string | null | undefined): Omit<Order, 'direction'> {
  return SORTS[sort ?? 'created_at'] as Omit<Order, 'direction'>;
}
