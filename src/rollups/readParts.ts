import type { Dimension } from '../clicks/dimensions.ts';
import { QUARTER_MS } from '../clicks/periods.ts';
import { selectBound } from '../db/selectBound.ts';
import type { BlockRow } from './blockRows.ts';
import { decodeColumn } from './Column.ts';
import type { Part } from './Part.ts';

const ALWAYS = ['at', 'visitor_high', 'visitor_low', 'traffic_class'];

/** Reads blocks with the columns of these dimensions. A block that is gone meanwhile is empty: ask for the version. */
export async function readParts(
  projectId: string,
  blocks: readonly BlockRow[],
  dimensions: readonly Dimension[],
): Promise<Part[]> {
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (!first || !last) return [];
  const names = [...ALWAYS, ...dimensions];
  const rows = await selectBound<{ name: string; from_quarter: number; content: Buffer }>(
    `SELECT name, from_quarter, content FROM click_columns
     WHERE project_id = $1 AND name IN (${names.map((_, at) => `$${at + 4}`)}) AND from_quarter >= $2 AND from_quarter <= $3`,
    [projectId, first.from, last.from, ...names],
  );
  const contents = new Map(rows.map(({ name, from_quarter, content }) => [`${name} ${from_quarter}`, content]));
  return blocks.map(({ from, clicks }) => {
    const column = (name: string) => decodeColumn(contents.get(`${name} ${from}`), clicks);
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
