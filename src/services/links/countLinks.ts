import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { type Bind, selectWritten } from '../../db/selectWritten.ts';
import { now } from '../../kernel/clock.ts';
import { indexSource } from './condition.ts';
import { BY_CREATION, creationCondition, type LinkFilter, type LinkQuestion, linkQuestion } from './linkFilter.ts';
import { smallestSource } from './smallestSource.ts';
import { statusSql } from './statusCondition.ts';

export interface LinkGroup {
  /** Null: links without a tag. */
  key: string | null;
  count: number;
}

export interface LinkCount {
  count: number;
  /** Most links first; null when no grouping was asked for. */
  data: LinkGroup[] | null;
}

export type LinkGrouping = 'status' | 'tag' | 'domain';

/** The links that counting looks at: what stands after FROM. */
type Found = (bind: Bind) => string;

const GROUPS: Record<LinkGrouping, (found: Found, bind: Bind) => string> = {
  status: (found, bind) => `SELECT ${statusSql(now(), bind)} AS key, COUNT(*) AS count FROM ${found(bind)} GROUP BY 1`,
  domain: (found, bind) => `SELECT domain AS key, COUNT(*) AS count FROM ${found(bind)} GROUP BY domain`,
  // A link counts with each of its tags.
  tag: (found, bind) => `SELECT tags.name AS key, COUNT(*) AS count FROM (SELECT id FROM ${found(bind)}) AS found
      LEFT JOIN link_tags ON link_tags.link_id = found.id LEFT JOIN tags ON tags.id = link_tags.tag_id
      GROUP BY tags.id, tags.name`,
};

/** How many links of a project a filter leaves, and how many of them each status, tag or domain has. */
export async function countLinks(
  principal: Principal,
  projectId: string,
  { groupBy, ...filter }: LinkFilter & { groupBy?: LinkGrouping | null },
): Promise<LinkCount> {
  const project = await authorizeProject(principal, 'links:read', projectId);
  const question = await linkQuestion(project.id, filter);
  if (!question) return { count: 0, data: groupBy ? [] : null };
  const found = await foundBy(question);
  const data = groupBy ? await selectWritten<LinkGroup>((bind) => GROUPS[groupBy](found, bind)) : null;
  const [counted] = await selectWritten<{ count: number }>((bind) => `SELECT COUNT(*) AS count FROM ${found(bind)}`);
  return { count: counted?.count ?? 0, data: data?.sort(byCount) ?? null };
}

/** All conditions tested on what the condition that holds for the fewest looks up. */
async function foundBy(question: LinkQuestion): Promise<Found> {
  const { projectId } = question;
  const creation = creationCondition(question);
  const conditions = creation ? [...question.conditions, creation] : question.conditions;
  const best = await smallestSource(conditions, MOST_LOOKED_UP);
  const source = best?.source ?? indexSource(projectId, BY_CREATION, () => '1 = 1');
  const tests = conditions.filter((condition) => condition !== best?.condition || !source.isExact);
  return (bind) => {
    const where = [source.where(bind), `project_id = ${bind(projectId)}`, ...tests.map(({ test }) => test(bind))];
    return `${source.from} WHERE ${where.join(' AND ')}`;
  };
}

/** A condition that gives more is not asked how many: all links of the project are read in the order of an index then. */
const MOST_LOOKED_UP = 200_000;

function byCount(one: LinkGroup, other: LinkGroup): number {
  return other.count - one.count || (one.key ?? '').localeCompare(other.key ?? '');
}
