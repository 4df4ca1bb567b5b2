import { type Dialect, dialect } from './connection/database.ts';

/**
 * SQL that the two stores spell differently, one function for each difference. SQL that differs as a whole is written in
 * both dialects in the `…Store.ts` file of its table.
 */
function spelled(sql: Record<Dialect, string>): string {
  return sql[dialect()];
}

export type RowLock = 'FOR UPDATE' | 'FOR UPDATE SKIP LOCKED' | 'FOR NO KEY UPDATE' | 'FOR SHARE' | 'FOR KEY SHARE';

/** The end of a SELECT that locks its rows until the transaction ends. SQLite has one writer and no row locks. */
export function rowLock(lock: RowLock): string {
  return spelled({ sqlite: '', postgres: lock });
}

/**
 * LIMIT for rows in the order of an index, on a table that has partitions. PostgreSQL merges the indexes of partitions as long as
 * it expects more rows than it is to return; with statistics that are behind it collects and sorts all of them, for each page. It
 * cannot see this limit when it makes its plan, and goes for the first rows.
 */
export function limitInOrder(count: number | string): string {
  return dialect() === 'postgres' ? `LIMIT (SELECT CAST(${count} AS BIGINT))` : `LIMIT ${count}`;
}

/**
 * SQL for "the column has one of these values", which are sent as one parameter: see `inListValue`. PostgreSQL looks up
 * each element of an array in an index, while for a subquery it may choose a join that reads the whole table.
 */
export function inList(column: string, parameter: string): string {
  return spelled({
    sqlite: `${column} IN (SELECT value FROM json_each(${parameter}))`,
    postgres: `${column} = ANY(${parameter})`,
  });
}

/** The parameter that `inList` expects. */
export function inListValue(values: readonly string[]): unknown {
  return dialect() === 'sqlite' ? JSON.stringify(values) : values;
}

/** A column in a condition for which SQLite must not use an index; PostgreSQL decides by its statistics. */
export function withoutIndex(column: string): string {
  return spelled({ sqlite: `+${column}`, postgres: column });
}

/** A table in a FROM clause whose index SQLite has to use; PostgreSQL decides by its statistics. */
export function withIndex(table: string, index: string): string {
  return spelled({ sqlite: `${table} INDEXED BY ${index}`, postgres: table });
}

/**
 * The FROM clause of a query on the rows of `table` that a look-up returns; further conditions follow with AND. OFFSET 0
 * makes PostgreSQL plan the look-up by itself: it underestimates how many rows a row comparison matches, and would
 * otherwise read the whole table in its order.
 */
export function lookedUpFirst(table: string, { from, where }: { from: string; where: string }): string {
  return spelled({
    sqlite: `${from} WHERE ${where}`,
    postgres: `(SELECT ${table}.* FROM ${from} WHERE ${where} OFFSET 0) AS ${table} WHERE true`,
  });
}

/** A text column in an ORDER BY that sorts by bytes, whatever the locale of the database. SQLite always does. */
export function byBytes(column: string): string {
  return spelled({ sqlite: column, postgres: `${column} COLLATE "C"` });
}

/** A time column in milliseconds since the epoch. */
export function epochMs(column: string): string {
  return spelled({
    sqlite: `CAST(strftime('%s', substr(${column}, 1, 19)) AS INTEGER) * 1000 + CAST(substr(${column}, 21, 3) AS INTEGER)`,
    postgres: `CAST(EXTRACT(EPOCH FROM ${column}) * 1000 AS BIGINT)`,
  });
}

/** The start of a time column's UTC hour: a Date, on SQLite a text such as `2026-11-01 08`. */
export function hourOf(column: string): string {
  return spelled({ sqlite: `substr(${column}, 1, 13)`, postgres: `date_trunc('hour', ${column}, 'UTC')` });
}

/** A value that sorts between the times of a time column's UTC day and those of the next day. */
export function endOfUtcDay(column: string): string {
  return spelled({
    sqlite: `substr(${column}, 1, 10) || ' 24'`,
    postgres: `date_trunc('day', ${column}, 'UTC') + INTERVAL '24 hours'`,
  });
}

/** A number in `jsonList` with all its digits: SQLite would write only 15. */
export function allDigits(column: string): string {
  return spelled({
    sqlite: `CASE WHEN ${column} IS NOT NULL THEN printf('%!.17g', ${column}) END`,
    postgres: column,
  });
}

/**
 * SQL that aggregates all rows into one JSON text, a list of lists of `values` (expressions with commas between them).
 * Several times cheaper than an object per row, which the driver would build.
 */
export function jsonList(values: string): string {
  return spelled({
    sqlite: `json_group_array(json_array(${values}))`,
    postgres: `CAST(COALESCE(json_agg(json_build_array(${values})), '[]') AS TEXT)`,
  });
}

/** SQL that aggregates the values of all rows into a JSON array in this order; `[]` for no rows. */
export function jsonArray(value: string, orderBy: string): string {
  return spelled({
    sqlite: `json_group_array(${value} ORDER BY ${orderBy})`,
    postgres: `COALESCE(json_agg(${value} ORDER BY ${orderBy}), '[]')`,
  });
}

/** A JSON object with the values of these SQL expressions by their keys. */
export function jsonObject(values: Record<string, string>): string {
  const entries = Object.entries(values).map(([key, value]) => `'${key}', ${value}`);
  return spelled({
    sqlite: `json_object(${entries.join(', ')})`,
    postgres: `json_build_object(${entries.join(', ')})`,
  });
}

/** A JSON column as a value in `jsonObject`: SQLite stores JSON as text, which would become a string. */
export function jsonValue(column: string): string {
  return spelled({ sqlite: `json(${column})`, postgres: column });
}

/** Kinds of column, each with a type in either store. */
export type ColumnKind = 'text' | 'integer' | 'number' | 'time' | 'flag' | 'json';

const TYPES: Record<ColumnKind, Record<Dialect, string>> = {
  text: { sqlite: 'TEXT', postgres: 'TEXT' },
  integer: { sqlite: 'INTEGER', postgres: 'BIGINT' },
  number: { sqlite: 'REAL', postgres: 'DOUBLE PRECISION' },
  time: { sqlite: 'TEXT', postgres: 'TIMESTAMPTZ' },
  flag: { sqlite: 'INTEGER', postgres: 'BOOLEAN' },
  json: { sqlite: 'TEXT', postgres: 'JSON' },
};

/** An expression as a column of this kind stores it. */
export function castTo(kind: ColumnKind, expression: string): string {
  return `CAST(${expression} AS ${spelled(TYPES[kind])})`;
}

/**
 * The elements of a JSON list in a FROM clause, as the column `value`. On SQLite jsonb_each is three times as fast as
 * json_each, which renders each element as text that is then parsed again.
 */
export function jsonElements(parameter: string): string {
  return spelled({
    sqlite: `jsonb_each(${parameter})`,
    postgres: `jsonb_array_elements(CAST(${parameter} AS JSONB)) AS listed(value)`,
  });
}
