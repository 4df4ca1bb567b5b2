import { DIMENSIONS } from '../clicks/dimensions.ts';
import { cellDimension } from '../rollups/cellDimension.ts';
import type { CountedClass } from '../rollups/DayTotals.ts';
import { BY_QUARTER } from '../rollups/quarterTotals.ts';
import type { Filter, Question } from './Question.ts';

/** Figures counted ahead by day that answer a question. */
export interface TotalsPlan {
  trafficClass: CountedClass;
  /** Where the total is; of `key` alone, or of the one number 0 that stands for everything. */
  total: { dimension: string; key: string | null };
  /** Where the rows are; null when the total is all there is, also of each bucket. `classes`: the total of each class. */
  group: { dimension: string; key: string | null } | 'classes' | null;
  /** The total is counted by quarters of an hour: stretches of a day can be answered too. */
  isByQuarter: boolean;
}

const EVERYTHING = { dimension: 'none', key: null };

/**
 * Null where only the clicks themselves can tell: a visitor with two keys of a filter, or two of the wanted classes, is
 * in two cells and would be counted twice.
 */
export function totalsPlan({ event, groupBy, trafficClass, filters }: Question): TotalsPlan | null {
  if (event !== 'click') return null;
  const counted = (trafficClass ?? 'all') as CountedClass;
  const isDivided = groupBy !== 'none' && groupBy !== 'time';
  const [filter, another] = filters;
  const plan = { trafficClass: counted, total: EVERYTHING, group: null, isByQuarter: false };
  if (!filter) {
    if (!isDivided) return { ...plan, total: { dimension: BY_QUARTER, key: null }, isByQuarter: true };
    if (groupBy === 'traffic_class') return trafficClass === null ? { ...plan, group: 'classes' } : null;
    return { ...plan, group: { dimension: nameOf(groupBy), key: null } };
  }
  const key = singleKey(filter);
  if (another || key === null || (isDivided && groupBy !== filter.dimension)) return null;
  // A click with the wanted tag may have others, which group_by=tag shows too.
  if (isDivided && groupBy === 'tag') return null;
  const cell = { dimension: nameOf(filter.dimension), key };
  return { ...plan, total: cell, group: isDivided ? cell : null };
}

function singleKey({ dimension, keys, isExcluding }: Filter): string | null {
  if (isExcluding || !(dimension in DIMENSIONS)) return null;
  const [key, ...others] = keys;
  return key === undefined || others.length > 0 ? null : key;
}

/** Of what no click has everything is under the one number for unknown. */
function nameOf(dimension: string): string {
  if (dimension === 'event_name' || dimension === 'app_version') return 'none';
  return cellDimension(dimension);
}
