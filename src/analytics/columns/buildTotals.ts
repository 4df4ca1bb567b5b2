import { DIMENSION_NAMES, type Dimension } from '../clicks/dimensions.ts';
import { QUARTERS_A_DAY } from '../clicks/periods.ts';
import { takeTurns } from '../clicks/takeTurns.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { selectBound } from '../db/selectBound.ts';
import { DAY_MS } from '../kernel/durations.ts';
import { type BlockRow, insertRows, raiseVersion, readBlockRows } from './blockRows.ts';
import { ClassCounts } from './ClassCounts.ts';
import { cellDimension, SINGLE_TAG } from './cellDimension.ts';
import { countKeys } from './countKeys.ts';
import { type CountedClass, type DayTotals, encodeTotals } from './DayTotals.ts';
import { type Key, numbersFor } from './keys.ts';
import type { Part } from './Part.ts';
import { BY_QUARTER, countQuarters } from './quarterTotals.ts';
import { readParts } from './readParts.ts';
import { readTagLists } from './tagLists.ts';
import { noteCounted } from './uncountedDays.ts';

type Row = [dimension: string, trafficClass: CountedClass, totals: DayTotals];

/** Counts a day that is over and whose clicks are all in blocks, unless that has been done. */
export async function buildTotals(projectId: string, day: number, giveWay: () => Promise<void>): Promise<void> {
  const [from, to] = [day * QUARTERS_A_DAY, (day + 1) * QUARTERS_A_DAY];
  const { blocks, backlog, version } = await readBlockRows(projectId, from, to);
  if (backlog.length > 0) return;
  if (blocks.length === 0 || (await areThere(projectId, day))) return noteCounted(projectId, day);
  const rows: Row[] = await countAll(projectId, day, blocks, giveWay);
  for (const dimension of DIMENSION_NAMES) {
    rows.push(...(await countDimension(projectId, blocks, dimension, giveWay)));
    await giveWay();
  }
  await inTransaction(async (transaction) => {
    await takeTurns([projectId], transaction);
    const now = await readBlockRows(projectId, from, to, transaction);
    if (now.version !== version || now.backlog.length > 0) return;
    const columns = ['project_id', 'dimension', 'traffic_class', 'day', 'content'];
    const values = rows.map(([dimension, name, totals]) => [projectId, dimension, name, day, encodeTotals(totals)]);
    await insertRows('click_totals', columns, values, transaction);
    await noteCounted(projectId, day, transaction);
    await raiseVersion(projectId, transaction);
  });
}

async function areThere(projectId: string, day: number): Promise<boolean> {
  const rows = await selectBound(
    "SELECT day FROM click_totals WHERE project_id = $1 AND dimension = 'none' AND traffic_class = 'all' AND day = $2",
    [projectId, day],
  );
  return rows.length > 0;
}

/** All clicks under one key; and by the quarters of an hour. */
async function countAll(
  projectId: string,
  day: number,
  blocks: BlockRow[],
  giveWay: () => Promise<void>,
): Promise<Row[]> {
  const [everything, quarters] = [new ClassCounts(), new ClassCounts()];
  for (const block of blocks) {
    for (const part of await readParts(projectId, [block], [])) {
      countKeys(everything, part, () => 0);
      countQuarters(quarters, part, day * DAY_MS);
    }
    await giveWay();
  }
  return [...rowsOf('none', everything), ...rowsOf(BY_QUARTER, quarters)];
}

async function countDimension(
  projectId: string,
  blocks: BlockRow[],
  dimension: Dimension,
  giveWay: () => Promise<void>,
): Promise<Row[]> {
  const counts = new ClassCounts();
  const numbersOf = dimension === 'tag' ? await tagNumbers(projectId) : keyNumber(dimension);
  for (const block of blocks) {
    for (const part of await readParts(projectId, [block], [dimension]))
      countKeys(counts, part, (at) => numbersOf(part, at));
    await giveWay();
  }
  return rowsOf(cellDimension(dimension), counts);
}

function rowsOf(dimension: string, counts: ClassCounts): Row[] {
  return counts.totals().map(([trafficClass, totals]) => [dimension, trafficClass, totals]);
}

function keyNumber(dimension: Dimension) {
  return (part: Part, at: number) => part.keys[dimension]?.[at] as number;
}

/** A click counts under each of its tags, and under none if it has none. */
async function tagNumbers(projectId: string) {
  const lists = await readTagLists(projectId);
  const ids = [...new Set([...lists.values()].flat())];
  const keys = ids.map((id): Key => [SINGLE_TAG, id]);
  const numbers = (await numbersFor(projectId, keys)).get(SINGLE_TAG);
  const expanded = new Map([...lists].map(([list, tags]) => [list, tags.map((id) => numbers?.get(id) ?? 0)]));
  const none = [0];
  return (part: Part, at: number) => expanded.get(part.keys.tag?.[at] as number) ?? none;
}
