import { database } from '../db/database.ts';
import { literal, type Model, type ModelStatic, Op, type WhereOptions } from '../db/sequelize.ts';
import { decodeCursor, encodeCursor } from '../kernel/cursor.ts';
import { CodedError } from '../kernel/errors.ts';
import { type Order, type Position, stretchesAfter, stretchSql } from './keyset.ts';

/** A page of rows and the cursor of the next one, null at the end. */
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
 * One page in keyset order: a walk returns every row that existed at its start once, whatever is added or removed
 * meanwhile. `question` names the list, its filters and sort; a cursor is good for that question alone. A page deep in
 * the list costs as much as the first where an index begins with the columns that `where` fixes and goes on with
 * `(attribute, id)`.
 */
export async function findPage<Row extends Model & { id: string }>(
  model: ModelStatic<Row>,
  where: WhereOptions,
  request: PageRequest,
  question: unknown,
  { attribute, direction }: { attribute: keyof Row & string; direction: Order['direction'] },
): Promise<Page<Row>> {
  const order = orderOf(model, attribute, direction);
  const { data, nextCursor } = await readPage(order, request, question, async (position, count) => {
    const rows = new Map<string, { row: Row; id: string; value: unknown }>();
    for (const stretch of stretchesAfter(order, position)) {
      if (rows.size === count) break;
      const found = await model.findAll({
        where: {
          [Op.and]: [where, literal(stretchSql(order, stretch, (value) => database().escape(value as string)))],
        },
        order: [
          [attribute, direction],
          ['id', direction],
        ],
        limit: count - rows.size,
      });
      for (const row of found) rows.set(row.id, { row, id: row.id, value: row[attribute] });
    }
    return [...rows.values()];
  });
  return { data: data.map(({ row }) => row), nextCursor };
}

/** A row's id and the value it is sorted by, a Date or number. */
export interface Spot {
  id: string;
  value: unknown;
}

/** The page that `request` asks for, of the rows that `read` gives after a position, in their order. */
export async function readPage<Found extends Spot>(
  order: Order,
  { limit, cursor }: PageRequest,
  question: unknown,
  read: (after: Position | null, count: number) => Promise<Found[]>,
): Promise<Page<Found>> {
  const length = limit ?? DEFAULT_LIMIT;
  const after = typeof cursor === 'string' ? readPosition(order, question, cursor) : null;
  // One more than asked for tells whether there is another page.
  const rows = await read(after, length + 1);
  const data = rows.slice(0, length);
  const last = data.at(-1);
  const more = rows.length > length && last !== undefined;
  return { data, nextCursor: more ? encodeCursor(question, [cursorValue(last.value), last.id]) : null };
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

/** The row that a cursor stands at. Cursors are not signed: what is in them may be anything. */
function readPosition({ kind, hasNulls }: Order, question: unknown, cursor: string): Position {
  const [sorted, id] = decodeCursor(question, cursor, 2);
  const value = kind === 'time' && typeof sorted === 'string' ? new Date(sorted) : sorted;
  const isValue = value === null ? hasNulls : kind === 'time' ? isTime(value) : Number.isSafeInteger(value);
  if (typeof id !== 'string' || !ID.test(id) || !isValue) {
    throw new CodedError('invalid_request', 'The cursor is not one of ours.');
  }
  return { value: value as Position['value'], id };
}

/** Our ids, and those of sessions, which are hashes. */
const ID = /^([a-z]+_[0-9a-z]{26}|[0-9a-f]{32})$/;
const LAST_TIME = Date.UTC(9999, 11, 31);

function isTime(value: unknown): boolean {
  return value instanceof Date && value.getTime() >= 0 && value.getTime() < LAST_TIME;
}

function cursorValue(value: unknown): string | number | null {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'number' || typeof value === 'string' ? value : null;
}
