import { selectBound } from '../../db/selectBound.ts';
import { type EventPosition, missingEvents } from './missingEvents.ts';
import { IN_RANGE, type REPLAYS, type ReplayRange, rangeValues, STATUSES } from './range.ts';

/** How many deliveries a replay sends. */
export async function countReplay(range: ReplayRange, status: (typeof REPLAYS)[number]): Promise<number> {
  const condition = STATUSES[status];
  const existing = condition === null ? 0 : await countExisting(range, condition);
  return existing + (status === 'failed' ? 0 : await countMissing(range));
}

async function countExisting(range: ReplayRange, condition: string): Promise<number> {
  const [row] = await selectBound<{ count: number }>(
    `SELECT COUNT(*) AS count FROM deliveries WHERE ${IN_RANGE} AND ${condition}`,
    rangeValues(range),
  );
  return Number(row?.count ?? 0);
}

async function countMissing(range: ReplayRange): Promise<number> {
  let count = 0;
  let position: EventPosition | null = null;
  do {
    const page = await missingEvents(range, position);
    count += page.missing.length;
    position = page.next;
  } while (position);
  return count;
}
