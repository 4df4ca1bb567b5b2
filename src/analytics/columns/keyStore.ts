import { lockRollups } from '../../clicks/backlogStore.ts';
import { dialect } from '../../db/connection/database.ts';
import { jsonList } from '../../db/dialects.ts';
import { withJsonRows } from '../../db/jsonRows.ts';
import { queryRaw } from '../../db/query.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { inTransaction } from '../../db/transactions.ts';

// Keys are looked up one by one, because a join may read all keys of the project, up to a million.

/** A key of a dimension of a project. */
export type Key = readonly [dimension: string, key: string];

const GIVEN = { dimension: 'text', key: 'text' } as const;

/**
 * SQL for `wanted` of the row of a project ($2) and a dimension whose `column` has that value; null: there is none. Two indexes begin
 * with project and dimension. With statistics from when a dimension had few keys PostgreSQL takes either, and reads all keys of the
 * dimension for each. So it is asked for the first row from there on, in an order that one of them alone has, and the row
 * is compared.
 */
function lookUp(wanted: string, inDimension: string, column: 'key' | 'number', value: string): string {
  if (dialect() === 'sqlite')
    return `(SELECT known.${wanted} FROM click_keys AS known
      WHERE known.project_id = $2 AND known.dimension = ${inDimension} AND known.${column} = ${value})`;
  return `(SELECT CASE WHEN found.project_id = $2 AND found.dimension = ${inDimension} AND found.${column} = ${value}
      THEN found.${wanted} END
    FROM (SELECT * FROM click_keys AS known
      WHERE (known.project_id, known.dimension, known.${column}) >= ($2, ${inDimension}, ${value})
      ORDER BY known.project_id, known.dimension, known.${column} LIMIT 1) AS found)`;
}

/** The numbers of keys that have one, by dimension and then by key. A number never changes. */
export async function knownNumbers(
  projectId: string,
  keys: readonly Key[],
  transaction?: Transaction,
): Promise<Map<string, Map<string, number>>> {
  const lookup = lookUp('number', 'given.dimension', 'key', 'given.key');
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
      // Once for each dimension: for each row, it would go past all that were inserted before it.
      `, taken AS MATERIALIZED (
         SELECT dimensions.dimension, COALESCE((SELECT MAX(number) FROM click_keys AS known
           WHERE known.project_id = $2 AND known.dimension = dimensions.dimension), 0) AS number
         FROM (SELECT DISTINCT dimension FROM given) AS dimensions)
       INSERT INTO click_keys (project_id, dimension, number, key)
       SELECT $2, given.dimension,
         taken.number + ROW_NUMBER() OVER (PARTITION BY given.dimension ORDER BY given.key), given.key
       FROM given JOIN taken ON taken.dimension = given.dimension
       WHERE ${lookUp('number', 'given.dimension', 'key', 'given.key')} IS NULL`,
      transaction,
      [projectId],
    );
  });
  return knownNumbers(projectId, keys);
}

/** The keys of numbers of a dimension. */
export async function keysOf(projectId: string, dimension: string, numbers: number[]): Promise<Map<number, string>> {
  const lookup = lookUp('key', '$3', 'number', 'given.number');
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
