import type pg from 'pg';
import type { Dialect } from './connection/database.ts';
import type { SqliteFile } from './connection/SqliteFile.ts';

/** A store by a connection of its own, which need not be the store that this process has open. */
export interface SomeStore {
  dialect: Dialect;
  all<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

export function sqliteStore(file: SqliteFile): SomeStore {
  return { dialect: 'sqlite', all: (sql, values) => file.all(sql, values) };
}

export function postgresStore(client: pg.Client): SomeStore {
  return {
    dialect: 'postgres',
    all: async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
      (await client.query(sql, [...values])).rows as Row[],
  };
}

/**
 * Tables as the store lists them, so that a new one needs no entry anywhere. On SQLite without those in which full-text search
 * keeps its index, on PostgreSQL without those of pg-boss, which are in a schema of their own.
 */
const TABLES: Record<Dialect, string> = {
  sqlite: `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
           ORDER BY name`,
  postgres: `SELECT relname AS name FROM pg_class WHERE relnamespace = CAST(CAST(current_schema() AS TEXT) AS regnamespace)
             AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`,
};

/** The names of all tables with rows of their own, in order. */
export async function tablesOf(store: SomeStore): Promise<string[]> {
  return (await store.all<{ name: string }>(TABLES[store.dialect])).map(({ name }) => name).sort();
}

const PRIMARY_KEY: Record<Dialect, string> = {
  sqlite: 'SELECT name FROM pragma_table_info($1) WHERE pk > 0 ORDER BY pk',
  postgres: `SELECT columns.column_name AS name FROM information_schema.table_constraints AS keys
             JOIN information_schema.key_column_usage AS columns
               ON columns.constraint_schema = keys.constraint_schema AND columns.constraint_name = keys.constraint_name
              AND columns.table_name = keys.table_name
             WHERE keys.constraint_type = 'PRIMARY KEY' AND keys.table_schema = current_schema() AND keys.table_name = $1
             ORDER BY columns.ordinal_position`,
};

/** The columns of a table's primary key, in its order. Throws when it has none. */
export async function primaryKeyOf(table: string, store: SomeStore): Promise<string[]> {
  const columns = await store.all<{ name: string }>(PRIMARY_KEY[store.dialect], [table]);
  if (columns.length === 0) throw new Error(`The table ${table} has no primary key`);
  return columns.map(({ name }) => name);
}

/** A name in SQL, as both stores quote it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Rows by table. */
export type RowCounts = Record<string, number>;

export async function countRows(store: SomeStore): Promise<RowCounts> {
  const counts: RowCounts = {};
  for (const table of await tablesOf(store)) {
    const [row] = await store.all<{ count: number | string }>(`SELECT COUNT(*) AS count FROM "${table}"`);
    counts[table] = Number(row?.count);
  }
  return counts;
}

/** The tables whose counts differ, as sentences. */
export function differences(expected: RowCounts, found: RowCounts): string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort();
  return names
    .filter((name) => expected[name] !== found[name])
    .map((name) => `${name} has ${found[name] ?? 'no'} rows instead of ${expected[name] ?? 'none'}`);
}
