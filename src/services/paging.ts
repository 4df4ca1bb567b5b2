import { type Model, type ModelStatic, Op, type WhereOptions } from '../db/sequelize.ts';
import { decodeCursor, encodeCursor } from '../kernel/cursor.ts';
import { CodedError } from '../kernel/errors.ts';

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

interface Order<Row> {
  /** Attribute that rows are sorted by, a time or a number; the id decides between equals. */
  attribute: keyof Row & string;
  direction: 'ASC' | 'DESC';
}

const DEFAULT_LIMIT = 50;

/**
 * Nulls count as less than any value, on PostgreSQL too, which by itself has it the other way round. Only for columns
 * that have nulls: a plain index doesn't serve this order.
 */
const NULLS = { ASC: 'ASC NULLS FIRST', DESC: 'DESC NULLS LAST' };

/**
 * One page in keyset order: a walk returns every row that existed at its start once, whatever is added or removed
 * meanwhile. `question` names the list, its filters and sort; a cursor is good for that question alone.
 */
export async function findPage<Row extends Model & { id: string }>(
  model: ModelStatic<Row>,
  where: WhereOptions,
  request: PageRequest,
  question: unknown,
  order: Order<Row>,
): Promise<Page<Row>> {
  const limit = request.limit ?? DEFAULT_LIMIT;
  const { attribute, direction } = order;
  const hasNulls = model.getAttributes()[attribute]?.allowNull === true;
  const conditions: WhereOptions[] = [where];
  if (typeof request.cursor === 'string') {
    conditions.push(after(order, readPosition(question, request.cursor), hasNulls));
  }
  const rows = await model.findAll({
    where: { [Op.and]: conditions },
    order: [
      [attribute, hasNulls ? NULLS[direction] : direction],
      ['id', direction],
    ],
    limit: limit + 1,
  });
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { data, nextCursor: more ? encodeCursor(question, [position(last[attribute]), last.id]) : null };
}

interface Position {
  value: Date | number | null;
  id: string;
}

/** The row that a cursor stands at. Cursors are not signed: what is in them may be anything. */
function readPosition(question: unknown, cursor: string): Position {
  const [sorted, id] = decodeCursor(question, cursor, 2);
  const value = typeof sorted === 'string' ? new Date(sorted) : sorted;
  const isTime = value instanceof Date && value.getTime() >= 0 && value.getTime() < LAST_TIME;
  if (typeof id !== 'string' || !ID.test(id) || !(isTime || value === null || Number.isSafeInteger(value))) {
    throw new CodedError('invalid_request', 'The cursor is not one of ours.');
  }
  return { value: value as Position['value'], id };
}

const ID = /^[a-z]+_[0-9a-z]{26}$/;
const LAST_TIME = Date.UTC(9999, 11, 31);

function after<Row>({ attribute, direction }: Order<Row>, { value, id }: Position, hasNulls: boolean): WhereOptions {
  const beyond = direction === 'DESC' ? Op.lt : Op.gt;
  const sameValue = { [attribute]: value, id: { [beyond]: id } };
  if (value === null) {
    return direction === 'DESC' ? sameValue : { [Op.or]: [sameValue, { [attribute]: { [Op.ne]: null } }] };
  }
  const others = { [attribute]: { [beyond]: value } };
  return direction === 'DESC' && hasNulls
    ? { [Op.or]: [others, sameValue, { [attribute]: null }] }
    : { [Op.or]: [others, sameValue] };
}

function position(value: unknown): string | number | null {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'number' || typeof value === 'string' ? value : null;
}
