import { authorizeProject } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { type Bind, buildQuery } from '../db/query.ts';
import { now } from '../kernel/clock.ts';
import { tagCounts } from '../tags/linkTagStore.ts';
import { searchOptions } from './linkListService.ts';
import { type Condition, type Facet, indexSource, smallestSource } from './list/condition.ts';
import { allConditions, BY_CREATION, isEmpty, type LinkFilter, linkQuery, storedDomain } from './list/linkFilter.ts';
import { statusSql } from './list/statusCondition.ts';

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

export type LinkGrouping = Facet;

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
  // A link counts with each of its tags. Grouped before the names are looked up: once for each tag.
  tag: (links, bind) => `SELECT tags.name AS key, grouped.count AS count FROM (
        SELECT link_tags.tag_id AS tag_id, COUNT(*) AS count FROM (SELECT id FROM ${links(bind)}) AS found
        LEFT JOIN link_tags ON link_tags.link_id = found.id GROUP BY link_tags.tag_id
      ) AS grouped LEFT JOIN tags ON tags.id = grouped.tag_id`,
};

/** Counts the links of a project that match a filter, and by status, tag or domain if asked. */
export async function countLinks(
  principal: Principal,
  projectId: string,
  { groupBy, ...filter }: LinkFilter & { groupBy?: LinkGrouping | null },
): Promise<LinkCount> {
  const project = await authorizeProject(principal, 'links:read', projectId);
  const query = await linkQuery(project.id, filter, searchOptions(principal));
  if (isEmpty(query)) return { count: 0, data: groupBy ? [] : null };
  const links = await countedLinks(project.id, allConditions(query));
  const data = groupBy ? await buildQuery<LinkGroup>((bind) => GROUPS[groupBy](links, bind)) : null;
  const [counted] = await buildQuery<{ count: number }>((bind) => `SELECT COUNT(*) AS count FROM ${links(bind)}`);
  return { count: counted?.count ?? 0, data: data?.sort(byCount) ?? null };
}

/** Tests all conditions on the links that the condition with the fewest matches looks up. */
async function countedLinks(projectId: string, conditions: Condition[]): Promise<CountedLinks> {
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

/** The number of links that match all filters, and lists of groups, each under all filters but those of its own facet. */
export interface LinkFacets {
  count: number;
  statuses: LinkGroup[];
  tags: LinkGroup[];
  domains: LinkGroup[];
}

/** Links with the same status and domain. */
interface Cell {
  status: string;
  domain: string;
  links: number;
}

/** The most groups of a list, those with the most links: nobody chooses among more. */
const MAX_GROUPS = 1000;

/**
 * Counts the links of a project by status, tag and domain, each list under all other filters, so that it shows what another
 * choice would find. The links are read once for the count, the statuses and the domains, which all go by the filters of
 * tags, and once for the tags.
 */
export async function countFacets(principal: Principal, projectId: string, filter: LinkFilter): Promise<LinkFacets> {
  const project = await authorizeProject(principal, 'links:read', projectId);
  const query = await linkQuery(project.id, filter, searchOptions(principal));
  const conditions = allConditions(query);
  const [cells, tags] = await Promise.all([
    isEmpty(query) ? [] : countCells(project.id, conditions),
    countTags(project.id, conditions),
  ]);
  const { status } = filter;
  const domain = filter.domain && storedDomain(filter.domain);
  const hasStatus = (cell: Cell) => !status || cell.status === status;
  const hasDomain = (cell: Cell) => !domain || cell.domain === domain;
  const matching = cells.filter((cell) => hasStatus(cell) && hasDomain(cell));
  return {
    count: matching.reduce((all, { links }) => all + links, 0),
    statuses: groupedBy('status', cells.filter(hasDomain)),
    tags,
    domains: groupedBy('domain', cells.filter(hasStatus)),
  };
}

async function countCells(projectId: string, conditions: Condition[]): Promise<Cell[]> {
  const others = conditions.filter(({ facet }) => facet === undefined || facet === 'tag');
  const links = await countedLinks(projectId, others);
  return buildQuery<Cell>(
    (bind) =>
      `SELECT ${statusSql(now(), bind)} AS status, domain, COUNT(*) AS links FROM ${links(bind)} GROUP BY 1, domain`,
  );
}

async function countTags(projectId: string, conditions: Condition[]): Promise<LinkGroup[]> {
  const others = conditions.filter(({ facet }) => facet !== 'tag');
  if (others.length === 0) return largest(await tagCounts(projectId));
  const links = await countedLinks(projectId, others);
  return largest(await buildQuery<LinkGroup>((bind) => GROUPS.tag(links, bind)));
}

function groupedBy(key: 'status' | 'domain', cells: Cell[]): LinkGroup[] {
  const counts = new Map<string, number>();
  for (const cell of cells) counts.set(cell[key], (counts.get(cell[key]) ?? 0) + cell.links);
  return largest([...counts].map(([name, count]) => ({ key: name, count })));
}

function largest(groups: LinkGroup[]): LinkGroup[] {
  return groups.sort(byCount).slice(0, MAX_GROUPS);
}
