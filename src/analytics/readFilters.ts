import { Op } from '../db/sequelize.ts';
import type { FieldProblem } from '../kernel/errors.ts';
import { Link } from '../models/Link.ts';
import { Tag } from '../models/Tag.ts';
import type { Filter } from './AnalyticsQuery.ts';
import { FILTER_FIELDS, FILTERS, type FilterInput } from './filterTable.ts';

const EXTERNAL = 'ext_';

/**
 * Parses filters such as `DE,AT` and `-US,CA` (all others; a minus before later values has no effect). Looks up links in the
 * project by id or `ext_<external id>`, and tags by name. Adds to `problems` what is wrong.
 */
export async function readFilters(projectId: string, input: FilterInput, problems: FieldProblem[]): Promise<Filter[]> {
  const filters: Filter[] = [];
  for (const field of FILTER_FIELDS) {
    const text = input[field];
    if (text === undefined || text === null) continue;
    const { dimension, spell } = FILTERS[field];
    const isExcluding = text.trimStart().startsWith('-');
    const values = text.split(',').map((value) => spell(value.trim()));
    const keys = isExcluding ? values.map((value) => value.replace(/^-\s*/, '')) : values;
    const problem = keysProblem(keys);
    if (problem) problems.push({ path: dimension, message: problem });
    else filters.push({ dimension, keys: [...new Set(keys)], isExcluding });
  }
  for (const filter of filters) {
    if (filter.dimension === 'link') filter.keys = await linkIds(projectId, filter.keys, problems);
    if (filter.dimension === 'tag') filter.keys = await tagIds(projectId, filter.keys, problems);
  }
  return filters;
}

function keysProblem(keys: string[]): string | null {
  if (keys.some((key) => key === '')) return 'Holds an empty value: separate values by single commas.';
  if (keys.some((key) => key.startsWith('-'))) return 'A minus stands before the first value and is meant for all.';
  // Neither store takes the zero character in a text.
  return keys.some((key) => key.includes('\0')) ? 'Holds a character that no value has.' : null;
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
  return resolved('link', references, (reference) => known.get(reference), problems);
}

async function tagIds(projectId: string, names: string[], problems: FieldProblem[]): Promise<string[]> {
  const nameKeys = names.map((name) => name.toLowerCase());
  const tags = await Tag.findAll({ attributes: ['id', 'nameKey'], where: { projectId, nameKey: nameKeys } });
  const known = new Map(tags.map(({ id, nameKey }) => [nameKey, id]));
  return resolved('tag', names, (name) => known.get(name.toLowerCase()), problems);
}

/** The ids of names. Adds unknown names to `problems`. */
function resolved(
  path: string,
  names: string[],
  idOf: (name: string) => string | undefined,
  problems: FieldProblem[],
): string[] {
  const missing = names.filter((name) => idOf(name) === undefined);
  if (missing.length > 0) problems.push({ path, message: `There is no such ${path}: ${missing.join(', ')}.` });
  return [...new Set(names.flatMap((name) => idOf(name) ?? []))];
}
