import { type Model, type ModelStatic, Op, type WhereOptions } from '../db/sequelize.ts';
import { decodeCursor, encodeCursor } from '../kernel/cursor.ts';

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
  /** Attribute that rows are sorted by; the id decides between equals. */
  attribute: keyof Row & string;
  direction: 'ASC' | 'DESC';
}

const DEFAULT_LIMIT = 50;

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
  const conditions: WhereOptions[] = [where];
  if (typeof request.cursor === 'string') conditions.push(after(order, decodeCursor(question, request.cursor, 2)));
  const rows = await model.findAll({
    where: { [Op.and]: conditions },
    order: [
      [attribute, direction],
      ['id', direction],
    ],
    limit: limit + 1,
  });
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { data, nextCursor: more ? encodeCursor(question, [position(last[attribute]), last.id]) : null };
}

function after<Row>({ attribute, direction }: Order<Row>, [value, id]: (string | number | null)[]): WhereOptions {
  const beyond = direction === 'DESC' ? Op.lt : Op.gt;
  const time = typeof value === 'string' ? new Date(value) : value;
  const sameValue = { [attribute]: time, id: { [beyond]: id } };
  // Nulls come last in descending and first in ascending order: they count as less than any value.
  if (time === null) {
    return direction === 'DESC' ? sameValue : { [Op.or]: [sameValue, { [attribute]: { [Op.ne]: null } }] };
  }
  const others = { [attribute]: { [beyond]: time } };
  return direction === 'DESC'
    ? { [Op.or]: [others, sameValue, { [attribute]: null }] }
    : { [Op.or]: [others, sameValue] };
}

function position(value: unknown): string | number | null {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'number' || typeof value === 'string' ? value : null;
}
