import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { database, dialect } from '../../db/database.ts';
import { col, literal, Op, type WhereOptions, whereIs } from '../../db/sequelize.ts';
import { now } from '../../kernel/clock.ts';
import { canonicalHost } from '../../kernel/origins.ts';
import { Link } from '../../models/Link.ts';
import { findPage, type Page, type PageRequest } from '../paging.ts';

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

export interface LinkSort {
  sort?: string | null;
  order?: string | null;
}

const SORTS = { created_at: 'createdAt', clicks: 'clicks', last_clicked_at: 'lastClickedAt' } as const;

/** Links of a project, newest first unless `sort` and `order` say otherwise. */
export async function listLinks(
  principal: Principal,
  projectId: string,
  filter: LinkFilter & LinkSort & PageRequest,
): Promise<Page<Link>> {
  const project = await authorizeProject(principal, 'links:read', projectId);
  const { limit, cursor, sort, order, ...filters } = filter;
  const attribute = SORTS[(sort ?? 'created_at') as keyof typeof SORTS];
  const direction = order === 'asc' ? 'ASC' : 'DESC';
  const where = { [Op.and]: [{ projectId: project.id }, ...conditions(project.id, filters)] };
  return findPage(Link, where, { limit, cursor }, ['links', project.id, filters, attribute, direction], {
    attribute,
    direction,
  });
}

function conditions(projectId: string, filter: LinkFilter): WhereOptions[] {
  const found: WhereOptions[] = [];
  if (filter.search) found.push(searchCondition(filter.search));
  if (filter.tag) found.push(tagCondition(projectId, filter.tag));
  if (filter.domain) found.push({ domain: canonicalHost(filter.domain) ?? filter.domain });
  if (filter.status) found.push(statusCondition(filter.status));
  if (filter.externalId) found.push({ externalId: filter.externalId });
  if (filter.batchId) found.push({ batchId: filter.batchId });
  if (filter.createdAfter) found.push({ createdAt: { [Op.gte]: filter.createdAfter } });
  if (filter.createdBefore) found.push({ createdAt: { [Op.lt]: filter.createdBefore } });
  return found;
}

/**
 * The words as they stand, anywhere in slug, destination or title, without regard to case. SQLite compares A to Z alone
 * without regard to case, so neither side is put into lower case here: `Äpfel` would not be found by its own name.
 */
function searchCondition(search: string): WhereOptions {
  const pattern = `%${search.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  const like = literal(`${database().escape(pattern)} ESCAPE '\\'`);
  const isLike = dialect() === 'postgres' ? Op.iLike : Op.like;
  return {
    [Op.or]: ['slug', 'destination', 'title'].map((column) => whereIs(col(column), isLike, like)),
  } as WhereOptions;
}

function tagCondition(projectId: string, name: string): WhereOptions {
  const quote = (value: string) => database().escape(value);
  const carrying = `SELECT lt.link_id FROM link_tags lt JOIN tags t ON t.id = lt.tag_id
    WHERE t.project_id = ${quote(projectId)} AND t.name_key = ${quote(name.toLowerCase())}`;
  return { id: { [Op.in]: literal(`(${carrying})`) } } as WhereOptions;
}

/** The same precedence as routing/status, as conditions. */
function statusCondition(status: string): WhereOptions {
  const at = now();
  const unflagged = { flaggedAt: null };
  const inUse = { ...unflagged, archivedAt: null };
  const started = { [Op.or]: [{ startsAt: null }, { startsAt: { [Op.lte]: at } }] };
  const overLimit = whereIs(col('clicks'), Op.gte, col('click_limit'));
  const ended = {
    [Op.or]: [{ expiresAt: { [Op.lte]: at } }, { [Op.and]: [{ clickLimit: { [Op.ne]: null } }, overLimit] }],
  };
  const running = {
    [Op.and]: [
      { [Op.or]: [{ expiresAt: null }, { expiresAt: { [Op.gt]: at } }] },
      { [Op.or]: [{ clickLimit: null }, whereIs(col('clicks'), Op.lt, col('click_limit'))] },
    ],
  };
  const table: Record<string, WhereOptions> = {
    flagged: { flaggedAt: { [Op.ne]: null } },
    archived: { ...unflagged, archivedAt: { [Op.ne]: null } },
    scheduled: { ...inUse, startsAt: { [Op.gt]: at } },
    expired: { [Op.and]: [inUse, started, ended] },
    active: { [Op.and]: [inUse, started, running] },
  };
  return table[status] as WhereOptions;
}
