import type { Transaction } from 'sequelize';
import { partsBySize } from '../kernel/sliced.ts';
import { type Dialect, dialect } from './database.ts';
import { selectBound, selectPrepared } from './selectBound.ts';

export type JsonColumn = 'text' | 'integer' | 'number' | 'time' | 'flag' | 'json';

const SQL_TYPES: Record<Dialect, Record<JsonColumn, string>> = {
  sqlite: { text: 'TEXT', integer: 'INTEGER', number: 'REAL', time: 'TEXT', flag: 'INTEGER', json: 'TEXT' },
  postgres: {
    text: 'TEXT',
    integer: 'BIGINT',
    number: 'DOUBLE PRECISION',
    time: 'TIMESTAMPTZ',
    flag: 'BOOLEAN',
    json: 'JSON',
  },
};

/** jsonb_each: three times as fast as json_each, which renders each element for it to be parsed again. */
const SOURCES: Record<Dialect, string> = {
  sqlite: 'jsonb_each($1)',
  postgres: 'jsonb_array_elements(CAST($1 AS JSONB)) AS listed(value)',
};

/**
 * Runs `statement` over many rows that travel as one parameter: it reads them from `given`, whose columns are named in
 * the order of each row's values, with moments as `sqlTime` writes them; `more` are its parameters from $2 on. Gives
 * what the statement returns. Without rows nothing is asked.
 */
export async function withJsonRows<Row extends object>(
  columns: Record<string, JsonColumn>,
  rows: readonly (readonly unknown[])[],
  statement: string,
  transaction?: Transaction,
  more: readonly unknown[] = [],
): Promise<Row[]> {
  if (rows.length === 0) return [];
  const types = SQL_TYPES[dialect()];
  const list = Object.entries(columns).map(([name, kind], at) => `CAST(value ->> ${at} AS ${types[kind]}) AS ${name}`);
  const given = `WITH given AS (SELECT ${list.join(', ')} FROM ${SOURCES[dialect()]})`;
  // How rows are put into a table is always the same; what rows are joined with depends on how large it is.
  const run = statement.startsWith('INSERT') ? selectPrepared : selectBound;
  return run<Row>(`${given} ${statement}`, [JSON.stringify(rows), ...more], transaction);
}

/** Characters of values in one statement: a process writes them as JSON in a millisecond or two. */
const STATEMENT_CHARS = 128 * 1024;

/** Many rows for `withJsonRows` in as few statements as keep nobody waiting: a row that is larger has one of its own. */
export function statementParts<Row extends readonly unknown[]>(rows: readonly Row[]): Row[][] {
  return partsBySize(rows, charsOf, STATEMENT_CHARS);
}

function charsOf(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
}

/** A moment as both stores read it: `2026-11-01 08:30:00.000 +00:00`, which as text is in the order of time. */
export function sqlTime(epochMs: number): string {
  const iso = new Date(epochMs).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)} +00:00`;
}
