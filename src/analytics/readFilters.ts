import type { Dimension } from '../clicks/dimensions.ts';
import { Op } from '../db/sequelize.ts';
import type { FieldProblem } from '../kernel/errors.ts';
import { Link } from '../models/Link.ts';

/** Clicks whose key in `dimension` is one of `keys`, or with `isExcluding` all but those. */
export interface Filter {
  dimension: Exclude<Dimension, 'none'>;
  keys: string[];
  isExcluding: boolean;
}

export interface FilterInput {
  country?: string | null;
  device?: string | null;
  browser?: string | null;
  platform?: string | null;
  referrerHost?: string | null;
  link?: string | null;
}

const asItIs = (value: string) => value;
const lowerCased = (value: string) => value.toLowerCase();

/** `path` as on the wire; `spell` as the clicks have it. */
const FILTERS = [
  { field: 'country', dimension: 'country', spell: (value) => value.toUpperCase() },
  { field: 'device', dimension: 'device', spell: lowerCased },
  { field: 'browser', dimension: 'browser', spell: asItIs },
  { field: 'platform', dimension: 'platform', spell: lowerCased },
  { field: 'referrerHost', dimension: 'referrer_host', spell: lowerCased },
  { field: 'link', dimension: 'link', spell: asItIs },
] as const satisfies {
  field: keyof FilterInput;
  dimension: Filter['dimension'];
  spell(value: string): string;
}[];

const EXTERNAL = 'ext_';

/**
 * Reads `DE,AT` and `-US,CA` (all but these; a minus before the others changes nothing). Links are looked up in the
 * project, by id or `ext_<external id>`. What is wrong goes to `problems`.
 */
export async function readFilters(projectId: string, input: FilterInput, problems: FieldProblem[]): Promise<Filter[]> {
  const filters: Filter[] = [];
  for (const { field, dimension, spell } of FILTERS) {
    const text = input[field];
    if (text === undefined || text === null) continue;
    const isExcluding = text.trimStart().startsWith('-');
    const values = text.split(',').map((value) => spell(value.trim()));
    const keys = isExcluding ? values.map((value) => value.replace(/^-\s*/, '')) : values;
    const problem = keysProblem(keys);
    if (problem) problems.push({ path: dimension, message: problem });
    else filters.push({ dimension, keys: [...new Set(keys)], isExcluding });
  }
  const links = filters.find(({ dimension }) => dimension === 'link');
  if (links) links.keys = await linkIds(projectId, links.keys, problems);
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
  const missing = references.filter((reference) => !known.has(reference));
  if (missing.length > 0) problems.push({ path: 'link', message: `There is no such link: ${missing.join(', ')}.` });
  return [...new Set(references.flatMap((reference) => known.get(reference) ?? []))];
}
