import type { BacklogRow } from '../clicks/backlogStore.ts';
import type { BlockRow } from './columns/blockStore.ts';

/** The clicks of a range: blocks and the backlog, each in the order of time. */
interface Stock {
  blocks: readonly BlockRow[];
  backlog: readonly Pick<BacklogRow, 'quarter' | 'clicks'>[];
}

/** What a query reads. `asOfQuarter`: from this quarter of an hour on it lacks clicks that are in no block; null: it has all. */
export interface BoundStock extends Stock {
  asOfQuarter: number | null;
}

/**
 * Leaves so much of the backlog that a query reads at most `most` clicks row by row: the oldest. A block with a quarter in the
 * backlog is read row by row as a whole if its quarters stay, and as it is if they do not. Blocks stay in any case.
 */
export function boundBacklog({ blocks, backlog }: Stock, most: number): BoundStock {
  let clicks = 0;
  let block = 0;
  /** The last block whose clicks are read row by row. */
  let outdated: BlockRow | undefined;
  /** The rows before it stay: of a block, all quarters do or none. */
  let first = 0;
  for (const [at, row] of backlog.entries()) {
    while ((blocks[block]?.to ?? Number.POSITIVE_INFINITY) <= row.quarter) block += 1;
    const around = blocks[block];
    const isInside = around !== undefined && around.from <= row.quarter;
    if (!isInside || around !== outdated) first = at;
    if (isInside && around !== outdated) {
      clicks += around.clicks;
      outdated = around;
    }
    clicks += row.clicks;
    if (clicks > most) {
      return { blocks, backlog: backlog.slice(0, first), asOfQuarter: backlog[first]?.quarter ?? row.quarter };
    }
  }
  return { blocks, backlog, asOfQuarter: null };
}
