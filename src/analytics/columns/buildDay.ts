import { DIMENSION_NAMES } from '../clicks/dimensions.ts';
import { QUARTER_MS, QUARTERS_A_DAY } from '../clicks/periods.ts';
import { takeTurns } from '../clicks/takeTurns.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { log } from '../kernel/log.ts';
import { BlockDraft } from './BlockDraft.ts';
import { type BacklogRow, type BlockRow, insertRows, raiseVersion, readBlockRows } from './blockRows.ts';
import { buildTotals } from './buildTotals.ts';
import { encodeColumn } from './Column.ts';
import { type Key, numbersFor } from './keys.ts';
import { readClicks } from './readClicks.ts';
import { noteUncounted } from './uncountedDays.ts';

export interface DayToBuild {
  projectId: string;
  /** UTC, since the epoch. */
  day: number;
  /** Quarters from here on may still be in the making. */
  closedBefore: number;
}

/** A block ends with the quarter that brings it here: a question reads and holds a few of them at a time. */
const BLOCK_CLICKS = 50_000;
const BLOCK_COLUMNS = ['project_id', 'from_quarter', 'to_quarter', 'clicks', 'version'];

/**
 * Puts the backlog of a project's day into blocks, those that late clicks have outdated included, and counts the day when
 * it is over. Several processes may do so at once: whoever comes second finds nothing left. `giveWay` is called often.
 */
export async function buildDay(asked: DayToBuild, giveWay: () => Promise<void>): Promise<void> {
  const { projectId, day, closedBefore } = asked;
  const [from, to] = [day * QUARTERS_A_DAY, (day + 1) * QUARTERS_A_DAY];
  await dissolveOutdated(projectId, from, to, closedBefore >= to);
  for (;;) {
    const { blocks, backlog } = await readBlockRows(projectId, from, Math.min(to, closedBefore));
    const group = firstGroup(backlog, blocks);
    if (group.length === 0) break;
    if (!(await buildBlock(projectId, group, giveWay))) return;
  }
  if (closedBefore >= to) await buildTotals(projectId, day, giveWay);
}

/**
 * Blocks with a quarter in the backlog no longer hold all clicks of theirs: all their quarters go back to it. Of a day
 * that is over the small blocks do, too, that were made while it went on: they become few.
 */
async function dissolveOutdated(projectId: string, from: number, to: number, isOver: boolean): Promise<void> {
  await inTransaction(async (transaction) => {
    await takeTurns([projectId], transaction);
    const { blocks, backlog } = await readBlockRows(projectId, from, to, transaction);
    const outdated = blocks.filter(
      (block) => backlog.some(({ quarter }) => isWithin(quarter, block)) || (isOver && block.clicks < BLOCK_CLICKS / 2),
    );
    const totals = await selectBound(
      'DELETE FROM click_totals WHERE project_id = $1 AND day = $2 RETURNING day',
      [projectId, from / QUARTERS_A_DAY],
      transaction,
    );
    for (const block of outdated) {
      if (await hasItsClicks(projectId, block, transaction)) await dissolve(projectId, block, transaction);
      else await passOver(projectId, block, backlog, transaction);
    }
    if (outdated.length > 0 || totals.length > 0) await raiseVersion(projectId, transaction);
    await noteUncounted(projectId, from / QUARTERS_A_DAY, transaction);
  });
}

/** Whether the block could be made anew: single clicks are kept for CLICK_RETENTION_DAYS, blocks for ever. */
async function hasItsClicks(projectId: string, { from, to, clicks }: BlockRow, transaction: Transaction) {
  const [row] = await selectBound<{ there: number }>(
    'SELECT COUNT(*) AS there FROM clicks WHERE project_id = $1 AND occurred_at >= $2 AND occurred_at < $3',
    [projectId, sqlTime(from * QUARTER_MS), sqlTime(to * QUARTER_MS)],
    transaction,
  );
  return (row?.there ?? 0) >= clicks;
}

/** A click came so late that those beside it are gone: figures stay without it rather than without them. */
async function passOver(
  projectId: string,
  block: BlockRow,
  backlog: BacklogRow[],
  transaction: Transaction,
): Promise<void> {
  if (!backlog.some(({ quarter }) => isWithin(quarter, block))) return;
  const { from, to } = block;
  await emptyBacklog(projectId, from, to, transaction);
  log.error(
    { projectId, from: sqlTime(from * QUARTER_MS) },
    'clicks came after CLICK_RETENTION_DAYS and are not counted',
  );
}

async function emptyBacklog(projectId: string, from: number, to: number, transaction: Transaction): Promise<void> {
  await selectBound(
    'DELETE FROM click_backlog WHERE project_id = $1 AND quarter >= $2 AND quarter < $3',
    [projectId, from, to],
    transaction,
  );
}

async function dissolve(projectId: string, { from, to }: BlockRow, transaction: Transaction): Promise<void> {
  const quarters = Array.from({ length: to - from }, (_, at) => `($1, ${from + at}, 0)`);
  await selectBound(
    `INSERT INTO click_backlog (project_id, quarter, clicks) VALUES ${quarters} ON CONFLICT (project_id, quarter) DO NOTHING`,
    [projectId],
    transaction,
  );
  for (const table of ['click_blocks', 'click_columns'])
    await selectBound(
      `DELETE FROM ${table} WHERE project_id = $1 AND from_quarter = $2`,
      [projectId, from],
      transaction,
    );
}

/** The first quarters that make a block: with no other block between them, and no more than it may hold. */
function firstGroup(backlog: BacklogRow[], blocks: BlockRow[]): BacklogRow[] {
  const group: BacklogRow[] = [];
  let clicks = 0;
  for (const row of backlog) {
    const first = group[0]?.quarter;
    if (first !== undefined && blocks.some((block) => block.from > first && block.from < row.quarter)) break;
    group.push(row);
    clicks += row.clicks;
    if (clicks >= BLOCK_CLICKS) break;
  }
  return group;
}

/** False when clicks have come to these quarters meanwhile: the next run takes them all. */
async function buildBlock(projectId: string, group: BacklogRow[], giveWay: () => Promise<void>): Promise<boolean> {
  const from = group[0]?.quarter as number;
  const to = (group.at(-1)?.quarter as number) + 1;
  const draft = new BlockDraft(from * QUARTER_MS);
  for await (const rows of readClicks(projectId, from * QUARTER_MS, to * QUARTER_MS, DIMENSION_NAMES)) {
    draft.add(rows);
    await giveWay();
  }
  const contents = await columnsOf(projectId, draft, giveWay);
  return inTransaction(async (transaction) => {
    await takeTurns([projectId], transaction);
    const now = await readBlockRows(projectId, from, to, transaction);
    if (now.blocks.length > 0 || JSON.stringify(now.backlog) !== JSON.stringify(group)) return false;
    const version = await raiseVersion(projectId, transaction);
    if (draft.length > 0) {
      const block = [projectId, from, to, draft.length, version];
      await insertRows('click_blocks', BLOCK_COLUMNS, [block], transaction);
      const rows = contents.map(([name, content]) => [projectId, name, from, content]);
      await insertRows('click_columns', ['project_id', 'name', 'from_quarter', 'content'], rows, transaction);
    }
    await emptyBacklog(projectId, from, to, transaction);
    return true;
  });
}

/** What is stored: columns by name; of zeros alone none. */
async function columnsOf(
  projectId: string,
  draft: BlockDraft,
  giveWay: () => Promise<void>,
): Promise<[name: string, content: Buffer][]> {
  const contents: [string, Buffer][] = [
    ['at', encodeColumn(draft.at)],
    ['visitor_high', encodeColumn(draft.high)],
    ['visitor_low', encodeColumn(draft.low)],
    ['traffic_class', encodeColumn(draft.classes)],
  ];
  const keys = draft.columns.flatMap((column) => [...column.keys.keys()].map((key): Key => [column.dimension, key]));
  const numbers = await numbersFor(projectId, keys);
  for (const { dimension, numbers: own, keys: ownKeys } of draft.columns) {
    if (ownKeys.size === 0) continue;
    const known = numbers.get(dimension);
    const translated = [0, ...[...ownKeys.keys()].map((key) => known?.get(key) ?? 0)];
    contents.push([dimension, encodeColumn(own.map((number) => translated[number] as number))]);
    await giveWay();
  }
  return contents;
}

function isWithin(quarter: number, { from, to }: BlockRow): boolean {
  return quarter >= from && quarter < to;
}
