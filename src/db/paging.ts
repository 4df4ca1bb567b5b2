import { decodeCursor, encodeCursor } from '../kernel/cursor.ts';
import { CodedError } from '../kernel/errors.ts';
import { database, dialect } from './connection/database.ts';
import { sqlTime } from './jsonRows.ts';
import { PARTITIONED } from './partitions/tables.ts';
import type { Bind } from './query.ts';
import { literal, type Model, type ModelStatic, Op, type WhereOptions } from './sequelize.ts';

/** A page of rows, and the cursor of the next page; null on the last one. */
export interface Page<Row> {
  data: Row[];
  nextCursor: string | null;
}

export interface PageRequest {
  /** 1–100; the default is 50. */
  limit?: number | null;
  cursor?: string | null;
}

const DEFAULT_LIMIT = 50;

/**
 * One page by keyset pagination: a client that reads all pages gets every row that existed at the start once, whatever is
 * added or removed meanwhile. `list` identifies the list, its filters and its sort; a cursor is only valid for the same
 * list. Every page costs as much as the first if an index starts with the columns that `where` fixes, followed by
 * `(attribute, id)`.
 */
export async function findPage<Row extends Model & { id: string }>(
  model: ModelStatic<Row>,
  where: WhereOptions,
  request: PageRequest,
  list: unknown,
  { attribute, direction }: { attribute: keyof Row & string; direction: Order['direction'] },
): Promise<Page<Row>> {
  const order = orderOf(model, attribute, direction);
  const { data, nextCursor } = await readPage(order, request, list, async (position, count) => {
    const rows = new Map<string, { row: Row; id: string; value: unknown }>();
    for (const range of rangesAfter(order, position)) {
      if (rows.size === count) break;
      const found = await model.findAll({
        where: {
          [Op.and]: [where, literal(rangeSql(order, range, (value) => database().escape(value as string)))],
        },
        order: [
          [attribute, direction],
          ['id', direction],
        ],
        ...limitOf(model, count - rows.size),
      });
      for (const row of found) rows.set(row.id, { row, id: row.id, value: row[attribute] });
    }
    return [...rows.values()];
  });
  return { data: data.map(({ row }) => row), nextCursor };
}

/** See `limitInOrder`. */
function limitOf(model: ModelStatic<Model>, count: number): { limit: number } {
  if (dialect() === 'sqlite' || !PARTITIONED.some(({ name }) => name === model.tableName)) return { limit: count };
  return { limit: literal(`(SELECT ${count})`) as unknown as number };
}

/** The id of a row and the value by which it is sorted, a Date or a number. */
export interface RowPosition {
  id: string;
  value: unknown;
}

/** The requested page of the rows that `read` returns, in their order, after a position. */
export function readPage<Found extends RowPosition>(
  order: Order,
  request: PageRequest,
  list: unknown,
  read: (after: KeysetPosition | null, count: number) => Promise<Found[]>,
): Promise<Page<Found>> {
  return searchPage(order, request, list, async (after, count) => ({ rows: await read(after, count), end: null }));
}

/** Rows that were found, and the position up to which was searched; null: there are no more, or as many as were wanted. */
export interface Search<Found> {
  rows: Found[];
  end: KeysetPosition | null;
}

/**
 * Like `readPage`, for rows that may be so rare that a search has to stop before the page is full. Such a page has fewer rows than
 * requested, or none, and a cursor with which the search goes on.
 */
export async function searchPage<Found extends RowPosition>(
  order: Order,
  { limit, cursor }: PageRequest,
  list: unknown,
  search: (after: KeysetPosition | null, count: number) => Promise<Search<Found>>,
): Promise<Page<Found>> {
  const length = limit ?? DEFAULT_LIMIT;
  const after = typeof cursor === 'string' ? readPosition(order, list, cursor) : null;
  // One row more than requested shows whether there is another page.
  const { rows, end } = await search(after, length + 1);
  const data = rows.slice(0, length);
  const last = rows.length > length ? data.at(-1) : end;
  return { data, nextCursor: last ? encodeCursor(list, [cursorValue(last.value), last.id]) : null };
}

function orderOf<Row extends Model>(model: ModelStatic<Row>, attribute: string, direction: Order['direction']): Order {
  const { type, field, allowNull } = model.getAttributes()[attribute as keyof Row & string] ?? {};
  return {
    column: field ?? attribute,
    kind: (type as { key?: string } | undefined)?.key === 'DATE' ? 'time' : 'number',
    hasNulls: allowNull === true,
    direction,
  };
}

/** The position in a cursor. Cursors are not signed, so their content is checked. */
function readPosition({ kind, hasNulls }: Order, list: unknown, cursor: string): KeysetPosition {
  const [sorted, id] = decodeCursor(list, cursor, 2);
  const value = kind === 'time' && typeof sorted === 'string' ? new Date(sorted) : sorted;
  const isValue = value === null ? hasNulls : kind === 'time' ? isTime(value) : Number.isSafeInteger(value);
  if (typeof id !== 'string' || !ID.test(id) || !isValue) {
    throw new CodedError('invalid_request', 'The cursor is invalid.');
  }
  return { value: value as KeysetPosition['value'], id };
}

/** Ids, hashes, which are the ids of sessions, and UUIDs, which are the ids of what apps report. */
const ID = /^([a-z]+_[0-9a-z]{26}|[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const LAST_TIME = Date.UTC(9999, 11, 31);

function isTime(value: unknown): boolean {
  return value instanceof Date && value.getTime() >= 0 && value.getTime() < LAST_TIME;
}

function cursorValue(value: unknown): string | number | null {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'number' || typeof value === 'string' ? value : null;
}

/** A sort order: by a column, then by id. Nulls sort below all values. */
export interface Order {
  column: string;
  kind: 'time' | 'number';
  hasNulls: boolean;
  direction: 'ASC' | 'DESC';
  /** The column of the id, if it is not `id`. */
  idColumn?: string;
}

/** The position of a row in an order. */
export interface KeysetPosition {
  value: Date | number | null;
  id: string;
}

/**
 * A range of an order that an index returns without sorting: either rows with a value, or rows without one, because the
 * stores sort nulls differently.
 */
export interface KeysetRange {
  areNulls: boolean;
  /** Exclusive; null: from the start. */
  after: KeysetPosition | null;
  /** Inclusive; null: to the end. */
  through: KeysetPosition | null;
}

/** The ranges of an order after a position, in that order. */
export function rangesAfter({ hasNulls, direction }: Order, position: KeysetPosition | null): KeysetRange[] {
  const valued = { areNulls: false, after: null, through: null };
  const nulls = { areNulls: true, after: null, through: null };
  if (!hasNulls) return [{ ...valued, after: position }];
  const both = direction === 'DESC' ? [valued, nulls] : [nulls, valued];
  if (!position) return both;
  const from = both.findIndex(({ areNulls }) => areNulls === (position.value === null));
  return both.slice(from).map((range, index) => (index === 0 ? { ...range, after: position } : range));
}

/**
 * The SQL condition of a range. It compares row values, `(a, id) < (v, x)`, which both stores look up directly in an index
 * on `(…, a, id)`, even among many equal values.
 */
export function rangeSql(
  { column, hasNulls, direction, idColumn = 'id' }: Order,
  range: KeysetRange,
  bind: Bind,
): string {
  const [beyond, upTo] = direction === 'DESC' ? ['<', '>='] : ['>', '<='];
  const side = (sign: string, { value, id }: KeysetPosition) =>
    range.areNulls
      ? `${idColumn} ${sign} ${bind(id)}`
      : `(${column}, ${idColumn}) ${sign} (${bind(sqlValue(value))}, ${bind(id)})`;
  const conditions = [
    ...(hasNulls ? [`${column} IS ${range.areNulls ? '' : 'NOT '}NULL`] : []),
    ...(range.after ? [side(beyond as string, range.after)] : []),
    ...(range.through ? [side(upTo as string, range.through)] : []),
  ];
  return conditions.join(' AND ') || '1 = 1';
}

function sqlValue(value: KeysetPosition['value']): number | string | null {
  return value instanceof Date ? sqlTime(value.getTime()) : value;
}

/**
 * SQL for the ids of up to `count` rows after a position, out of `sources` that share no row, each a FROM clause with
 * conditions. Every source is read in the order of an index, so that a rare one costs as little as a common one.
 */
export function idsOfSources(
  order: Order,
  sources: readonly string[],
  after: KeysetPosition | null,
  count: number,
  bind: Bind,
): string {
  const { column, direction, idColumn = 'id' } = order;
  const [range] = rangesAfter(order, after);
  const sorted = `ORDER BY ${column} ${direction}, ${idColumn} ${direction} LIMIT ${count}`;
  const parts = sources.map((source) => {
    const isAfter = range ? rangeSql(order, range, bind) : '1 = 1';
    return `SELECT * FROM (SELECT ${idColumn}, ${column} FROM ${source} AND ${isAfter} ${sorted}) AS part`;
  });
  return `${parts.join(' UNION ALL ')} ${sorted}`;
}
