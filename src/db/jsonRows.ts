import type { Transaction } from 'sequelize';
import { chunksBySize } from '../kernel/chunks.ts';
import { dialect } from './connection/database.ts';
import { type ColumnKind, castTo, jsonElements } from './dialects.ts';
import { queryPrepared, queryRaw } from './query.ts';

/** The columns of a table that has no model, or of `given`, in the order of each row's values. */
export type Columns = Readonly<Record<string, ColumnKind>>;

/**
 * Runs `statement` over many rows that are sent as one parameter. The statement reads them from the table `given`, whose
 * columns have the order of each row's values; times must be written by `sqlTime`. `more` are its parameters from $2 on.
 * Returns what the statement returns; sends nothing when there are no rows.
 */
export async function withJsonRows<Row extends object>(
  columns: Columns,
  rows: readonly (readonly unknown[])[],
  statement: string,
  transaction?: Transaction,
  more: readonly unknown[] = [],
): Promise<Row[]> {
  if (rows.length === 0) return [];
  const list = Object.entries(columns).map(([name, kind], at) => `${castTo(kind, `value ->> ${at}`)} AS ${name}`);
  const given = `WITH given AS (SELECT ${list.join(', ')} FROM ${jsonElements('$1')})`;
  // The plan of an INSERT never changes; the plan of a join depends on the size of the other table.
  const run = statement.startsWith('INSERT') ? queryPrepared : queryRaw;
  return run<Row>(`${given} ${statement}`, [JSON.stringify(rows), ...more], transaction);
}

export interface InsertOptions {
  transaction?: Transaction;
  /** What follows the values in the statement: `ON CONFLICT …`. */
  onConflict?: string;
  /** Columns to return of the rows that were inserted or changed. */
  returning?: string;
}

/**
 * Inserts rows into a table, in one statement. Times must be written by `sqlTime`. `computed` has further columns, each with
 * an SQL expression over the row in `given`. Returns what `returning` names.
 */
export function insertInto<Returned extends object>(
  table: string,
  columns: Columns,
  rows: readonly (readonly unknown[])[],
  {
    transaction,
    onConflict = '',
    returning,
    computed = {},
  }: InsertOptions & { computed?: Record<string, string> } = {},
): Promise<Returned[]> {
  const names = Object.keys(columns);
  const values = [...names, ...Object.values(computed)].join(', ');
  // WHERE, because SQLite would take ON CONFLICT for the condition of a join.
  const statement = `INSERT INTO ${table} (${[...names, ...Object.keys(computed)].join(', ')}) SELECT ${values} FROM given
    WHERE true ${onConflict}${returning ? ` RETURNING ${returning}` : ''}`;
  return withJsonRows<Returned>(columns, rows, statement, transaction);
}

interface QueryOfRow {
  select: string;
  /** A query whose parameters are the columns of the given row, in their order. */
  from(...parameters: string[]): string;
  /** The name of its rows in `select` and in `rest`. */
  as: string;
  /** Joins and order. */
  rest?: string;
}

/**
 * Runs a query for each of the given rows and returns all results: in one statement on PostgreSQL. SQLite has no LATERAL,
 * but a statement for each row costs it no round trip.
 */
export async function queryEach<Row extends object>(
  columns: Columns,
  given: readonly (readonly unknown[])[],
  { select, from, as, rest = '' }: QueryOfRow,
  transaction?: Transaction,
): Promise<Row[]> {
  const names = Object.keys(columns);
  if (dialect() === 'postgres') {
    const lateral = from(...names.map((name) => `given.${name}`));
    const statement = `SELECT ${select} FROM given CROSS JOIN LATERAL (${lateral}) AS ${as} ${rest}`;
    return withJsonRows<Row>(columns, given, statement, transaction);
  }
  const sql = `SELECT ${select} FROM (${from(...names.map((_, at) => `$${at + 1}`))}) AS ${as} ${rest}`;
  const found: Row[] = [];
  for (const row of given) found.push(...(await queryRaw<Row>(sql, row, transaction)));
  return found;
}

/** Characters of values in one statement, which take a millisecond or two to write as JSON. */
const STATEMENT_CHARS = 128 * 1024;

/** Splits rows into statements for `withJsonRows` that do not block the process. A larger row gets one of its own. */
export function statementParts<Row extends readonly unknown[]>(rows: readonly Row[]): Row[][] {
  return chunksBySize(rows, charsOf, STATEMENT_CHARS);
}

function charsOf(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
}

/** A time as both stores read it: `2026-11-01 08:30:00.000 +00:00`. As text it sorts by time. */
export function sqlTime(epochMs: number): string {
  const iso = new Date(epochMs).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)} +00:00`;
}
