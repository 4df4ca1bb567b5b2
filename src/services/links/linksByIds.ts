import { among, amongValue } from '../../db/among.ts';
import { dialect } from '../../db/database.ts';
import { readModels } from '../../db/readModels.ts';
import { selectBound } from '../../db/selectBound.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { partsOf } from '../../kernel/sliced.ts';
import { Link } from '../../models/Link.ts';
import type { Project } from '../../models/Project.ts';

/** Links with many rules take the process half a millisecond each to read. */
const AT_ONCE = 50;

interface Options {
  transaction?: Transaction;
  /** Each of them, in the order of their ids: two lists that hold the same links would wait for each other else. */
  isLocked?: boolean;
}

/** Those of the links with these ids that the project has, by their ids. */
export async function linksByIds(
  project: Pick<Project, 'id'>,
  ids: readonly string[],
  { transaction, isLocked = false }: Options = {},
): Promise<Map<string, Link>> {
  // SQLite would look through all links of the project for the ids; the plus keeps it from that index.
  const ofProject = dialect() === 'sqlite' ? '+project_id = $2' : 'project_id = $2';
  const lock = isLocked && dialect() === 'postgres' ? ' FOR UPDATE' : '';
  const links = await readLinks(`${among('id', '$1')} AND ${ofProject} ORDER BY id${lock}`, project, ids, transaction);
  return new Map(links.map((link) => [link.id, link]));
}

/** Those that the project has, by their external ids. */
export async function linksByExternalIds(
  project: Pick<Project, 'id'>,
  externalIds: readonly string[],
): Promise<Map<string, Link>> {
  const links = await readLinks(`project_id = $2 AND ${among('external_id', '$1')}`, project, externalIds);
  return new Map(links.map((link) => [link.externalId ?? '', link]));
}

/** `condition`: of values $1, in the project $2. */
async function readLinks(
  condition: string,
  project: Pick<Project, 'id'>,
  values: readonly string[],
  transaction?: Transaction,
): Promise<Link[]> {
  const links: Link[] = [];
  const options = { select: selectBound, ...(transaction ? { transaction } : {}) };
  for (const part of partsOf([...new Set(values)].sort(), AT_ONCE)) {
    links.push(...(await readModels(Link, condition, [amongValue(part), project.id], options)));
  }
  return links;
}
