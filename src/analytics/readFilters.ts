import { Op } from '../db/sequelize.ts';
import type { FieldProblem } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { Link } from '../models/Link.ts';
import { Tag } from '../models/Tag.ts';
import { type Filter, UNKNOWN_KEY } from './AnalyticsQuery.ts';
import { readValues } from './decideValues.ts';
import { FILTER_FIELDS, FILTERS, type FilterInput, type FilterRow } from './filterTable.ts';
import { keptKeys } from './keptKeys.ts';

const EXTERNAL = 'ext_';

/**
 * Parses filters as `readValues` does. Looks up links in the project by id or `ext_<external id>`, and tags by name; deleted
 * ones by the id that their clicks have. Adds to `problems` what is wrong.
 */
export async function readFilters(projectId: string, input: FilterInput, problems: FieldProblem[]): Promise<Filter[]> {
  const filters: Filter[] = [];
  for (const field of FILTER_FIELDS) {
    const text = input[field];
    if (text === undefined || text === null) continue;
    const { dimension, spell, problem: problemOf = noProblem }: FilterRow = FILTERS[field];
    const read = readValues(text);
    const problem = 'problem' in read ? read.problem : valuesProblem(read.values, problemOf);
    if ('problem' in read || problem !== null) problems.push({ path: dimension, message: String(problem) });
    else {
      const keys = read.values.map((value) => (value === null ? UNKNOWN_KEY : spell(value)));
      filters.push({ dimension, keys: [...new Set(keys)], isExcluding: read.isExcluding });
    }
  }
  for (const filter of filters) {
    if (filter.dimension === 'link') filter.keys = await linkIds(projectId, filter.keys, problems);
    if (filter.dimension === 'tag') filter.keys = await tagIds(projectId, filter.keys, problems);
  }
  return filters;
}

function valuesProblem(values: (string | null)[], problemOf: (value: string) => string | null): string | null {
  for (const value of values) {
    if (value === null) continue;
    // Neither store takes the zero character in a text.
    const problem = value.includes('\0') ? 'Holds a character that no value has.' : problemOf(value);
    if (problem !== null) return problem;
  }
  return null;
}

function noProblem(): null {
  return null;
}

async function linkIds(projectId: string, references: string[], problems: FieldProblem[]): Promise<string[]> {
  const externalIds = references.filter((name) => name.startsWith(EXTERNAL)).map((name) => name.slice(EXTERNAL.length));
  const links = await Link.findAll({
    attributes: ['id', 'externalId'],
    where: { projectId, [Op.or]: [{ id: references }, { externalId: externalIds }] },
  });
  const known = new Map(
    links.flatMap(({ id, externalId }) => [[id, id] as const, [EXTERNAL + externalId, id] as const]),
  );
  const missing = references.filter((reference) => isId('lnk', reference) && !known.has(reference));
  const deleted = await keptKeys(projectId, 'link', missing);
  const idOf = (name: string) => known.get(name) ?? (deleted.has(name) ? name : undefined);
  return resolved('link', references, idOf, problems);
}

async function tagIds(projectId: string, names: string[], problems: FieldProblem[]): Promise<string[]> {
  const nameKeys = names.map((name) => name.toLowerCase());
  const tags = await Tag.findAll({ attributes: ['id', 'nameKey'], where: { projectId, nameKey: nameKeys } });
  const known = new Map(tags.map(({ id, nameKey }) => [nameKey, id]));
  const missing = names.filter((name) => isId('tag', name) && !known.has(name));
  const deleted = await keptKeys(projectId, 'tag', missing);
  const idOf = (name: string) => known.get(name.toLowerCase()) ?? (deleted.has(name) ? name : undefined);
  return resolved('tag', names, idOf, problems);
}

/** The ids of names. Adds unknown names to `problems`. */
function resolved(
  path: string,
  names: string[],
  idOf: (name: string) => string | undefined,
  problems: FieldProblem[],
): string[] {
  const missing = names.filter((name) => name !== UNKNOWN_KEY && idOf(name) === undefined);
  if (missing.length > 0) problems.push({ path, message: `There is no such ${path}: ${missing.join(', ')}.` });
  return [...new Set(names.flatMap((name) => (name === UNKNOWN_KEY ? name : (idOf(name) ?? []))))];
}
