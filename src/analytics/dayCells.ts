import { type Dimension } from '../clicks/dimensions.ts';
import type { Filter } from './readFilters.ts';

/** What is to be counted, without its range. */
export interface Question {
  projectId: string;
  groupBy: Dimension | 'time';
  /** Null: all classes. */
  trafficClass: string | null;
  filters: Filter[];
}

/** The rows of `click_days` that answer a question. `key` null: each key of the dimension is a row of the answer. */
export interface DayCells {
  dimension: Dimension;
  key: string | null;
}

/**
 * Null where only the clicks themselves can tell: a visitor with two classes, or two keys of a filter, is in two cells
 * and would be counted twice.
 */
export function dayCellsFor({ groupBy, trafficClass, filters }: Question): DayCells | null {
  if (trafficClass === null) return null;
  const isDivided = groupBy !== 'none' && groupBy !== 'time';
  const [filter, another] = filters;
  if (!filter) return isDivided ? { dimension: groupBy, key: null } : { dimension: 'none', key: '' };
  const [key, ...otherKeys] = filter.keys;
  if (another || filter.isExcluding || key === undefined || otherKeys.length > 0) return null;
  return !isDivided || groupBy === filter.dimension ? { dimension: filter.dimension, key } : null;
}
