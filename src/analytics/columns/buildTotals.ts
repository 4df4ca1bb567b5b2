import { lockRollups } from '../../clicks/backlogStore.ts';
import { DIMENSION_NAMES, type Dimension } from '../../clicks/dimensions.ts';
import { queryRaw } from '../../db/query.ts';
import { inTransaction } from '../../db/transactions.ts';
import { DAY_MS, QUARTERS_A_DAY } from '../../kernel/clock.ts';
import { type BlockRow, insertRows, markCounted, raiseVersion, readBlockRows } from './blockStore.ts';
import {
  BY_QUARTER,
  ClassCounts,
  type CountedClass,
  countKeys,
  countQuarters,
  type DayTotals,
  encodeTotals,
} from './dayTotals.ts';
import type { EventColumns } from './EventColumns.ts';
import { cellDimension, type Key, numbersFor, readTagLists, SINGLE_TAG } from './keyStore.ts';
import { readBlocks } from './readBlocks.ts';

type Row = [dimension: string, trafficClass: CountedClass, totals: DayTotals];

/** Builds the totals of a past day whose clicks are all in blocks, unless they exist. */
export async function buildTotals(projectId: string, day: number, yieldNow: () => Promise<void>): Promise<void> {
  const [from, to] = [day * QUARTERS_A_DAY, (day + 1) * QUARTERS_A_DAY];
  const { blocks, backlog, version } = await readBlockRows(projectId, from, to);
  if (backlog.length > 0) return;
  if (blocks.length === 0 || (await hasTotals(projectId, day))) return markCounted(projectId, day);
  const rows: Row[] = await countAll(projectId, day, blocks, yieldNow);
  for (const dimension of DIMENSION_NAMES) {
    rows.push(...(await countDimension(projectId, blocks, dimension, yieldNow)));
    await yieldNow();
  }
  await inTransaction(async (transaction) => {
    await lockRollups([projectId], transaction);
    const now = await readBlockRows(projectId, from, to, transaction);
    if (now.version !== version || now.backlog.length > 0) return;
    const columns = ['project_id', 'dimension', 'traffic_class', 'day', 'content'];
    const values = rows.map(([dimension, name, totals]) => [projectId, dimension, name, day, encodeTotals(totals)]);
    await insertRows('click_totals', columns, values, transaction);
    await markCounted(projectId, day, transaction);
    await raiseVersion(projectId, transaction);
  });
}

async function hasTotals(projectId: string, day: number): Promise<boolean> {
  const rows = await queryRaw(
    "SELECT day FROM click_totals WHERE project_id = $1 AND dimension = 'none' AND traffic_class = 'all' AND day = $2",
    [projectId, day],
  );
  return rows.length > 0;
}

/** The totals of all clicks, and by quarters of an hour. */
async function countAll(
  projectId: string,
  day: number,
  blocks: BlockRow[],
  yieldNow: () => Promise<void>,
): Promise<Row[]> {
  const [everything, quarters] = [new ClassCounts(), new ClassCounts()];
  for (const block of blocks) {
    for (const events of await readBlocks(projectId, [block], [])) {
      countKeys(everything, events, () => 0);
      countQuarters(quarters, events, day * DAY_MS);
    }
    await yieldNow();
  }
  return [...rowsOf('none', everything), ...rowsOf(BY_QUARTER, quarters)];
}

async function countDimension(
  projectId: string,
  blocks: BlockRow[],
  dimension: Dimension,
  yieldNow: () => Promise<void>,
): Promise<Row[]> {
  const counts = new ClassCounts();
  const numbersOf = dimension === 'tag' ? await tagNumbers(projectId) : keyNumber(dimension);
  for (const block of blocks) {
    for (const events of await readBlocks(projectId, [block], [dimension]))
      countKeys(counts, events, (at) => numbersOf(events, at));
    await yieldNow();
  }
  return rowsOf(cellDimension(dimension), counts);
}

function rowsOf(dimension: string, counts: ClassCounts): Row[] {
  return counts.totals().map(([trafficClass, totals]) => [dimension, trafficClass, totals]);
}

function keyNumber(dimension: Dimension) {
  return (events: EventColumns, at: number) => events.keys[dimension]?.[at] as number;
}

/** The tags of a click, or unknown: a click counts under each of its tags. */
async function tagNumbers(projectId: string) {
  const lists = await readTagLists(projectId);
  const ids = [...new Set([...lists.values()].flat())];
  const keys = ids.map((id): Key => [SINGLE_TAG, id]);
  const numbers = (await numbersFor(projectId, keys)).get(SINGLE_TAG);
  const expanded = new Map([...lists].map(([list, tags]) => [list, tags.map((id) => numbers?.get(id) ?? 0)]));
  const none = [0];
  return (events: EventColumns, at: number) => expanded.get(events.keys.tag?.[at] as number) ?? none;
}
