import { dialect } from './connection/database.ts';
import type { ColumnKind } from './dialects.ts';
import { limitInOrder } from './dialects.ts';
import { type Columns, sqlTime } from './jsonRows.ts';
import { type KeysetPosition, type Order, rangeSql } from './paging.ts';
import { buildQuery } from './query.ts';

/** What happened in projects, by a table with the columns `project_id`, `occurred_at` and `id`, and an index on these three. */
export interface ProjectTable {
  name: string;
  /** The columns to read. */
  columns: Columns;
  /** SQL for columns that are not read as they are. */
  expressions?: Readonly<Record<string, string>>;
}

/** Rows in the spelling of the store, with values as JSON has them, and the position of the last one. */
export interface ProjectRows {
  rows: Record<string, unknown>[];
  last: KeysetPosition | null;
}

const NEWEST_FIRST: Order = { column: 'occurred_at', kind: 'time', hasNulls: false, direction: 'DESC' };

/** The newest rows of a project after a position, at most `count`. */
export async function readProjectRows(
  { name, columns, expressions = {} }: ProjectTable,
  projectId: string,
  after: KeysetPosition | null,
  count: number,
): Promise<ProjectRows> {
  const names = Object.keys(columns);
  const selected = names.map((column) => (expressions[column] ? `${expressions[column]} AS ${column}` : column));
  const found = await buildQuery<Record<string, unknown>>((bind) => {
    const range = rangeSql(NEWEST_FIRST, { areNulls: false, after, through: null }, bind);
    // The time stands apart too, because PostgreSQL cannot estimate how many rows a row comparison matches.
    const until = after ? ` AND occurred_at <= ${bind(sqlTime((after.value as Date).getTime()))}` : '';
    return `SELECT ${selected.join(', ')} FROM ${name} WHERE project_id = ${bind(projectId)}${until} AND ${range}
      ORDER BY occurred_at DESC, id DESC ${limitInOrder(count)}`;
  });
  const rows = found.map((row) =>
    Object.fromEntries(names.map((column) => [column, asJson(columns[column] as ColumnKind, row[column])])),
  );
  const last = rows.at(-1);
  return { rows, last: last ? { value: new Date(last.occurred_at as string), id: last.id as string } : null };
}

/** SQLite has no types for times, flags and JSON; PostgreSQL returns large integers as text. */
function asJson(kind: ColumnKind, value: unknown): unknown {
  if (value === null) return null;
  if (kind === 'time') return new Date(value as string).toISOString();
  if (kind === 'flag') return Boolean(value);
  if (kind === 'integer') return Number(value);
  return kind === 'json' && dialect() === 'sqlite' ? JSON.parse(value as string) : value;
}
