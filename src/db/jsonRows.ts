import { QueryTypes, type Transaction } from 'sequelize';
import { type Dialect, database, dialect } from './database.ts';

export type JsonColumn = 'text' | 'integer' | 'time' | 'flag' | 'json';

const SQL_TYPES: Record<Dialect, Record<JsonColumn, string>> = {
  sqlite: { text: 'TEXT', integer: 'INTEGER', time: 'TEXT', flag: 'INTEGER', json: 'TEXT' },
  postgres: { text: 'TEXT', integer: 'BIGINT', time: 'TIMESTAMPTZ', flag: 'BOOLEAN', json: 'JSON' },
};

/**
 * Runs `statement` with many rows as one parameter: it reads them from `given`, with the named columns in the order of
 * each row's array. Gives the rows that the statement returns. Moments are text as `sqlTime` writes it.
 */
export async function withJsonRows<Row extends object>(
  columns: Record<string, JsonColumn>,
  rows: readonly (readonly unknown[])[],
  statement: string,
  transaction?: Transaction,
): Promise<Row[]> {
  const types = SQL_TYPES[dialect()];
  const list = Object.entries(columns).map(([name, kind], at) => `CAST(value ->> ${at} AS ${types[kind]}) AS ${name}`);
  const source = dialect() === 'sqlite' ? 'jsonb_each($1)' : 'jsonb_array_elements(CAST($1 AS JSONB)) AS listed(value)';
  // Beginning with WITH and run as a SELECT: otherwise Sequelize drops what RETURNING gives on SQLite.
  return database().query<Row>(`WITH given AS (SELECT ${list.join(', ')} FROM ${source}) ${statement}`, {
    type: QueryTypes.SELECT,
    bind: [JSON.stringify(rows)],
    transaction: transaction ?? null,
  });
}

/** A moment as both stores read it: `2026-11-01 08:30:00.000 +00:00`, which as text is in the order of time. */
export function sqlTime(epochMs: number): string {
  const iso = new Date(epochMs).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)} +00:00`;
}
