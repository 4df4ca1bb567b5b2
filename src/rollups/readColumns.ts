import { selectBound } from '../db/selectBound.ts';
import type { BlockRow } from './blockRows.ts';
import { type Column, decodeColumn } from './Column.ts';
import { columnKey, columnMemory } from './columnMemory.ts';

/** Columns of a block by their names. */
type Columns = Map<string, Column>;

/**
 * These columns of each of the blocks, in the order of the blocks: from memory, and from the store what memory lacks.
 * `isKept`: that stays in memory.
 */
export async function readColumns(
  projectId: string,
  blocks: readonly BlockRow[],
  names: readonly string[],
  isKept: boolean,
): Promise<Columns[]> {
  const found = blocks.map((block) => remembered(projectId, block, names));
  const missingOf = (place: number) => names.filter((name) => !found[place]?.has(name));
  // Mostly all blocks lack the same: one statement for all that do.
  for (const places of Map.groupBy(blocks.keys(), (place) => missingOf(place).join(' ')).values()) {
    const missing = missingOf(places[0] as number);
    if (missing.length === 0) continue;
    const lacking = places.map((place) => blocks[place] as BlockRow);
    const stored = await readStored(projectId, lacking, missing);
    for (const place of places) {
      const block = blocks[place] as BlockRow;
      for (const name of missing) {
        const column = decodeColumn(stored.get(`${name} ${block.from}`), block.clicks);
        found[place]?.set(name, column);
        if (isKept) columnMemory()?.set(columnKey(projectId, block, name), column);
      }
    }
  }
  return found;
}

function remembered(projectId: string, block: BlockRow, names: readonly string[]): Columns {
  const memory = columnMemory();
  const columns: Columns = new Map();
  for (const name of names) {
    const column = memory?.get(columnKey(projectId, block, name));
    if (column) columns.set(name, column);
  }
  return columns;
}

async function readStored(projectId: string, blocks: readonly BlockRow[], names: readonly string[]) {
  const rows = await selectBound<{ name: string; from_quarter: number; content: Buffer }>(
    `SELECT name, from_quarter, content FROM click_columns
     WHERE project_id = $1 AND name IN (${names.map((_, at) => `$${at + 4}`)}) AND from_quarter >= $2 AND from_quarter <= $3`,
    [projectId, blocks[0]?.from, blocks.at(-1)?.from, ...names],
  );
  return new Map(rows.map(({ name, from_quarter, content }) => [`${name} ${from_quarter}`, content]));
}
