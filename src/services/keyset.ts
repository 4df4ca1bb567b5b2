import { sqlTime } from '../db/jsonRows.ts';
import type { Bind } from '../db/selectWritten.ts';

/** What rows are sorted by: a column, and the id between equals. Nulls count as less than any value. */
export interface Order {
  column: string;
  kind: 'time' | 'number';
  hasNulls: boolean;
  direction: 'ASC' | 'DESC';
  /** Where the id of a row stands, if it is not the column `id`. */
  idColumn?: string;
}

/** Where a row stands in an order. */
export interface Position {
  value: Date | number | null;
  id: string;
}

/**
 * A part of an order that an index is read over from end to end, without sorting: rows with a value, or those without,
 * because stores disagree about where nulls stand.
 */
export interface Stretch {
  areNulls: boolean;
  /** Exclusive; null: from the beginning. */
  after: Position | null;
  /** Inclusive; null: to the end. */
  through: Position | null;
}

/** What is left of an order after a position, in the order of the walk. */
export function stretchesAfter({ hasNulls, direction }: Order, position: Position | null): Stretch[] {
  const valued = { areNulls: false, after: null, through: null };
  const nulls = { areNulls: true, after: null, through: null };
  if (!hasNulls) return [{ ...valued, after: position }];
  const both = direction === 'DESC' ? [valued, nulls] : [nulls, valued];
  if (!position) return both;
  const from = both.findIndex(({ areNulls }) => areNulls === (position.value === null));
  return both.slice(from).map((stretch, index) => (index === 0 ? { ...stretch, after: position } : stretch));
}

/**
 * A stretch as a condition. Rows are compared as rows, `(a, id) < (v, x)`, which both stores look up in an index on
 * `(…, a, id)` at once, also among very many equal values.
 */
export function stretchSql(
  { column, hasNulls, direction, idColumn = 'id' }: Order,
  stretch: Stretch,
  bind: Bind,
): string {
  const [beyond, upTo] = direction === 'DESC' ? ['<', '>='] : ['>', '<='];
  const side = (sign: string, { value, id }: Position) =>
    stretch.areNulls
      ? `${idColumn} ${sign} ${bind(id)}`
      : `(${column}, ${idColumn}) ${sign} (${bind(sqlValue(value))}, ${bind(id)})`;
  const conditions = [
    ...(hasNulls ? [`${column} IS ${stretch.areNulls ? '' : 'NOT '}NULL`] : []),
    ...(stretch.after ? [side(beyond as string, stretch.after)] : []),
    ...(stretch.through ? [side(upTo as string, stretch.through)] : []),
  ];
  return conditions.join(' AND ') || '1 = 1';
}

function sqlValue(value: Position['value']): number | string | null {
  return value instanceof Date ? sqlTime(value.getTime()) : value;
}
