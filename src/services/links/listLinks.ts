import { allowInProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { readByIds } from '../../db/readModels.ts';
import { Link } from '../../models/Link.ts';
import type { Order } from '../keyset.ts';
import { type Page, type PageRequest, readPage } from '../paging.ts';
import { type LinkFilter, linkQuestion } from './linkFilter.ts';
import { readLinks } from './readLinks.ts';

export type { LinkFilter } from './linkFilter.ts';

export interface LinkSort {
  sort?: string | null;
  order?: string | null;
}

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
  const asked = ['links', projectId, filters, order.column, order.direction];
  const question = await linkQuestion(projectId, filters);
  const { data, nextCursor } = await readPage(order, { limit, cursor }, asked, async (after, count) =>
    question ? readLinks(question, order, after, count) : [],
  );
  return { data: await linksOf(data.map(({ id }) => id)), nextCursor };
}

function sortOf(sort: string | null | undefined): Omit<Order, 'direction'> {
  return SORTS[sort ?? 'created_at'] as Omit<Order, 'direction'>;
}

/** In the order of the ids; without those that were deleted a moment ago. */
async function linksOf(ids: string[]): Promise<Link[]> {
  if (ids.length === 0) return [];
  const links = new Map((await readByIds(Link, ids)).map((link) => [link.id, link]));
  return ids.flatMap((id) => links.get(id) ?? []);
}
