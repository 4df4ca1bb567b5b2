import { takeTurns } from '../clicks/takeTurns.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { withJsonRows } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';

// CROSS JOIN: SQLite looks each given key up, instead of going through all keys of the project for each of them.

/** A key of a dimension of a project. */
export type Key = readonly [dimension: string, key: string];

const GIVEN = { dimension: 'text', key: 'text' } as const;

/** Numbers of those keys that have one, by `dimension` and then by key. Numbers are never changed and never taken back. */
export async function knownNumbers(
  projectId: string,
  keys: readonly Key[],
  transaction?: Transaction,
): Promise<Map<string, Map<string, number>>> {
  const rows = await withJsonRows<{ dimension: string; key: string; number: number }>(
    GIVEN,
    keys,
    `SELECT known.dimension, known.key, known.number FROM given CROSS JOIN click_keys AS known
     WHERE known.project_id = $2 AND known.dimension = given.dimension AND known.key = given.key`,
    transaction,
    [projectId],
  );
  const numbers = new Map<string, Map<string, number>>();
  for (const { dimension, key, number } of rows) {
    const known = numbers.get(dimension) ?? new Map<string, number>();
    numbers.set(dimension, known.set(key, number));
  }
  return numbers;
}

/** The same for all of the keys: those without a number get the next ones, from 1. */
export async function numbersFor(projectId: string, keys: readonly Key[]): Promise<Map<string, Map<string, number>>> {
  const known = await knownNumbers(projectId, keys);
  const missing = keys.filter(([dimension, key]) => !known.get(dimension)?.has(key));
  if (missing.length === 0) return known;
  await inTransaction(async (transaction) => {
    await takeTurns([projectId], transaction);
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

/** The keys that numbers of a dimension stand for. */
export async function keysOf(projectId: string, dimension: string, numbers: number[]): Promise<Map<number, string>> {
  const rows = await withJsonRows<{ number: number; key: string }>(
    { number: 'integer' },
    numbers.map((number) => [number]),
    `SELECT known.number, known.key FROM given CROSS JOIN click_keys AS known
     WHERE known.project_id = $2 AND known.dimension = $3 AND known.number = given.number`,
    undefined,
    [projectId, dimension],
  );
  return new Map(rows.map(({ number, key }) => [number, key]));
}

/** All keys of a dimension, of which there are few, by their numbers. */
export async function allKeys(projectId: string, dimension: string): Promise<Map<number, string>> {
  const rows = await selectBound<{ number: number; key: string }>(
    'SELECT number, key FROM click_keys WHERE project_id = $1 AND dimension = $2',
    [projectId, dimension],
  );
  return new Map(rows.map(({ number, key }) => [number, key]));
}
