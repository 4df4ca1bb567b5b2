import { QueryTypes, type Transaction } from 'sequelize';
import { database } from './database.ts';

/**
 * Rows of a hand-written statement with the parameters $1, $2, …, which travel beside it and are never parsed. Also for
 * a statement that writes and returns rows, if it begins with WITH: of others Sequelize drops the rows on SQLite.
 */
export async function selectBound<Row extends object>(
  sql: string,
  values: readonly unknown[],
  transaction?: Transaction,
): Promise<Row[]> {
  return database().query<Row>(sql, {
    type: QueryTypes.SELECT,
    bind: [...values],
    ...(transaction ? { transaction } : {}),
  });
}
