import type { Dimension } from '../dimensions.ts';
import { literal, literalList } from './connection.ts';

/** The column of a dimension; a click has a key for each of its tags. */
const COLUMN_OF: Partial<Record<string, string>> = { link: 'link_id', tag: 'tag_ids' } satisfies Partial<
  Record<Dimension, string>
>;

export function columnOf(dimension: string): string {
  return COLUMN_OF[dimension] ?? dimension;
}

/** A condition on the keys of a dimension. An unknown key passes where others are excluded. */
export function testSql({
  dimension,
  keys,
  isExcluding,
}: {
  dimension: string;
  keys: readonly string[];
  isExcluding: boolean;
}): string {
  const column = columnOf(dimension);
  if (keys.length === 0) return isExcluding ? '1 = 1' : '1 = 0';
  if (dimension === 'tag') {
    const isUntagged = keys.includes('') ? ` OR empty(${column})` : '';
    return `${isExcluding ? 'NOT ' : ''}(hasAny(${column}, ${literal(keys)})${isUntagged})`;
  }
  return `${column} ${isExcluding ? 'NOT IN' : 'IN'} ${literalList(keys)}`;
}
