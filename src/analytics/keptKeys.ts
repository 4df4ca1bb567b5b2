import { clock } from '../kernel/clock.ts';
import { cellDimension } from './columns/keyStore.ts';
import { readFigures } from './readFigures.ts';
import { firstEventAt } from './readRange.ts';

/**
 * Those of these ids that clicks of the project have, of any time and class. Links and tags may have been deleted since: their
 * clicks stay, `group_by` prints their ids, and what is printed must be a filter.
 */
export async function keptKeys(projectId: string, dimension: 'link' | 'tag', ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const start = await firstEventAt(projectId);
  const end = clock.now() + 1;
  if (start >= end) return new Set();
  const grouping = { groupBy: dimension, starts: [], trafficClass: null };
  const filters = [{ dimension, keys: ids, isExcluding: false }];
  const [figures] = await readFigures({
    projectId,
    event: 'click',
    range: { start, end },
    filters,
    groupings: [grouping],
  });
  const cells = figures?.cells.map(([cell]) => cell) ?? [];
  const keys = new Set((await figures?.dictionary.keysOf(cellDimension(dimension), cells))?.values());
  // A click with one of these tags has others, too.
  return new Set(ids.filter((id) => keys.has(id)));
}
