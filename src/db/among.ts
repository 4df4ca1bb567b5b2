import { dialect } from './database.ts';

/**
 * That a column has one of many values, which travel as one parameter. PostgreSQL looks each of an array up in an index;
 * with a subquery it may join, and read the whole table for it.
 */
export function among(column: string, parameter: string): string {
  return dialect() === 'sqlite'
    ? `${column} IN (SELECT value FROM json_each(${parameter}))`
    : `${column} = ANY(${parameter})`;
}

/** The parameter. */
export function amongValue(values: readonly string[]): unknown {
  return dialect() === 'sqlite' ? JSON.stringify(values) : values;
}
