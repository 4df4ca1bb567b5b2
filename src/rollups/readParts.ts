import type { Dimension } from '../clicks/dimensions.ts';
import { QUARTER_MS } from '../clicks/periods.ts';
import type { BlockRow } from './blockRows.ts';
import type { Column } from './Column.ts';
import type { Part } from './Part.ts';
import { readColumns } from './readColumns.ts';

const ALWAYS = ['at', 'visitor_high', 'visitor_low', 'traffic_class'];

/**
 * Reads blocks with the columns of these dimensions. A block that is gone meanwhile is empty: ask for the version.
 * `isKept`: what is read stays in memory for others.
 */
export async function readParts(
  projectId: string,
  blocks: readonly BlockRow[],
  dimensions: readonly Dimension[],
  isKept = false,
): Promise<Part[]> {
  const read = await readColumns(projectId, blocks, [...ALWAYS, ...dimensions], isKept);
  return blocks.map(({ from, clicks }, place) => {
    const column = (name: string) => read[place]?.get(name) as Column;
    return {
      length: clicks,
      baseMs: from * QUARTER_MS,
      at: column('at'),
      high: column('visitor_high'),
      low: column('visitor_low'),
      classes: column('traffic_class'),
      keys: Object.fromEntries(dimensions.map((name) => [name, column(name)])),
    };
  });
}
