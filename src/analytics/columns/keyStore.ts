import { lockRollups } from '../../clicks/backlogStore.ts';
import { jsonList } from '../../db/dialects.ts';
import { withJsonRows } from '../../db/jsonRows.ts';
import { queryRaw } from '../../db/query.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { inTransaction } from '../../db/transactions.ts';

// Keys are looked up one by one, because a join may read all keys of the project, up to a million. BETWEEN and ORDER BY name
// the index to PostgreSQL, which has to guess as long as a table was never analyzed.

/** A key of a dimension of a project. */
export type Key = readonly [dimension: string, key: string];

const GIVEN = { dimension: 'text', key: 'text' } as const;

/** The numbers of keys that have one, by dimension and then by key. A number never changes. */
export async function knownNumbers(
  projectId: string,
  keys: readonly Key[],
  transaction?: Transaction,
): Promise<Map<string, Map<string, number>>> {
  const lookup = `(SELECT known.number FROM click_keys AS known
    WHERE known.project_id = $2 AND known.dimension = given.dimension AND known.key BETWEEN given.key AND given.key
    ORDER BY known.key LIMIT 1)`;
  const [row] = await withJsonRows<{ listed: string }>(
    GIVEN,
    keys,
    `SELECT ${jsonList(`given.dimension, given.key, ${lookup}`)} AS listed FROM given`,
    transaction,
    [projectId],
  );
  const numbers = new Map<string, Map<string, number>>();
  for (const [dimension, key, number] of JSON.parse(row?.listed ?? '[]') as [string, string, number | null][]) {
    if (number === null) continue;
    const known = numbers.get(dimension) ?? new Map<string, number>();
    numbers.set(dimension, known.set(key, number));
  }
  return numbers;
}

/** The numbers of all these keys. Keys without one are given the next numbers, from 1. */
export async function numbersFor(projectId: string, keys: readonly Key[]): Promise<Map<string, Map<string, number>>> {
  const known = await knownNumbers(projectId, keys);
  const missing = keys.filter(([dimension, key]) => !known.get(dimension)?.has(key));
  if (missing.length === 0) return known;
  await inTransaction(async (transaction) => {
    await lockRollups([projectId], transaction);
    await withJsonRows(
      GIVEN,
      missing,
      `INSERT INTO click_keys (project_id, dimension, number, key)
       SELECT $2, given.dimension,
         COALESCE((SELECT MAX(number) FROM click_keys AS taken
           WHERE taken.project_id = $2 AND taken.dimension = given.dimension), 0)
         + ROW_NUMBER() OVER (PARTITION BY given.dimension ORDER BY given.key), given.key
       FROM given WHERE NOT EXISTS (SELECT 1 FROM click_keys AS known
         WHERE known.project_id = $2 AND known.dimension = given.dimension AND known.key = given.key)`,
      transaction,
      [projectId],
    );
  });
  return knownNumbers(projectId, keys);
}

/** The keys of numbers of a dimension. */
export async function keysOf(projectId: string, dimension: string, numbers: number[]): Promise<Map<number, string>> {
  const lookup = `(SELECT known.key FROM click_keys AS known
    WHERE known.project_id = $2 AND known.dimension = $3 AND known.number BETWEEN given.number AND given.number
    ORDER BY known.number LIMIT 1)`;
  const [row] = await withJsonRows<{ listed: string }>(
    { number: 'integer' },
    numbers.map((number) => [number]),
    `SELECT ${jsonList(`given.number, ${lookup}`)} AS listed FROM given`,
    undefined,
    [projectId, dimension],
  );
  return mapOf(row);
}

/** All keys of a dimension by number. For dimensions with few keys. */
async function allKeys(projectId: string, dimension: string): Promise<Map<number, string>> {
  const [row] = await queryRaw<{ listed: string }>(
    `SELECT ${jsonList('number, key')} AS listed FROM click_keys WHERE project_id = $1 AND dimension = $2`,
    [projectId, dimension],
  );
  return mapOf(row);
}

function mapOf(row: { listed: string } | undefined): Map<number, string> {
  return new Map(JSON.parse(row?.listed ?? '[]') as [number, string][]);
}

/** The ids of the tags of each list, by the number of the list; 0 is not among them. */
export async function readTagLists(projectId: string): Promise<Map<number, string[]>> {
  const lists = await allKeys(projectId, 'tag');
  return new Map([...lists].map(([number, list]) => [number, JSON.parse(list)]));
}

/** In this dimension each tag has a number; in `tag` each list of tags that a click had. */
export const SINGLE_TAG = 'single_tag';

/** The dimension in which the keys of results have their numbers. */
export function cellDimension(dimension: string): string {
  return dimension === 'tag' ? SINGLE_TAG : dimension;
}
