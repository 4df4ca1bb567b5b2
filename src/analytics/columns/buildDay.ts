import { type BacklogRow, foldQuarters, lockRollups, returnToBacklog, takeBacklog } from '../../clicks/backlogStore.ts';
import { DIMENSION_NAMES } from '../../clicks/dimensions.ts';
import { sqlTime } from '../../db/jsonRows.ts';
import { queryRaw } from '../../db/query.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { inTransaction } from '../../db/transactions.ts';
import { QUARTER_MS, QUARTERS_A_DAY } from '../../kernel/clock.ts';
import { log } from '../../kernel/log.ts';
import { BlockDraft } from './BlockDraft.ts';
import { type BlockRow, insertRows, markUncounted, raiseVersion, readBlockRows } from './blockStore.ts';
import { buildTotals } from './buildTotals.ts';
import { encodeColumn } from './Column.ts';
import { type Key, numbersFor } from './keyStore.ts';
import { readClicks } from './readClicks.ts';

export interface DayToBuild {
  projectId: string;
  /** UTC, since the epoch. */
  day: number;
  /** Quarters from here on may still get clicks. */
  closedBefore: number;
}

/** A block ends with the quarter in which it reaches this size: a query reads a few blocks at a time. */
const BLOCK_CLICKS = 50_000;
const BLOCK_COLUMNS = ['project_id', 'from_quarter', 'to_quarter', 'clicks', 'version'];

/**
 * Builds blocks from the backlog of a project's day, rebuilds those that late clicks have outdated, and builds the day's totals when
 * the day is over. Several processes may do this at once: what the second one built is discarded. `yieldNow` is called often.
 */
export async function buildDay(asked: DayToBuild, yieldNow: () => Promise<void>): Promise<void> {
  const { projectId, day, closedBefore } = asked;
  const [from, to] = [day * QUARTERS_A_DAY, (day + 1) * QUARTERS_A_DAY];
  await dissolveOutdated(projectId, from, to, closedBefore >= to);
  for (;;) {
    const { blocks, backlog } = await readBlockRows(projectId, from, Math.min(to, closedBefore));
    const group = firstGroup(backlog, blocks);
    if (group.length === 0) break;
    if (!(await buildBlock(projectId, group, yieldNow))) return;
  }
  if (closedBefore >= to) await buildTotals(projectId, day, yieldNow);
}

/**
 * Dissolves blocks with a quarter in the backlog, which lack clicks: all their quarters return to the backlog. When the day is over,
 * the small blocks built during the day are dissolved too, to be joined to larger ones.
 */
async function dissolveOutdated(projectId: string, from: number, to: number, isOver: boolean): Promise<void> {
  await inTransaction(async (transaction) => {
    await lockRollups([projectId], transaction);
    await foldQuarters(projectId, from, to, transaction);
    const { blocks, backlog } = await readBlockRows(projectId, from, to, transaction);
    const outdated = blocks.filter(
      (block) => backlog.some(({ quarter }) => isWithin(quarter, block)) || (isOver && block.clicks < BLOCK_CLICKS / 2),
    );
    const totals = await queryRaw(
      'DELETE FROM click_totals WHERE project_id = $1 AND day = $2 RETURNING day',
      [projectId, from / QUARTERS_A_DAY],
      transaction,
    );
    for (const block of outdated) {
      if (await hasItsClicks(projectId, block, transaction)) await dissolve(projectId, block, transaction);
      else await dropLateClicks(projectId, block, backlog, transaction);
    }
    if (outdated.length > 0 || totals.length > 0) await raiseVersion(projectId, transaction);
    await markUncounted(projectId, from / QUARTERS_A_DAY, transaction);
  });
}

/** Whether the block can be rebuilt: clicks are kept for CLICK_RETENTION_DAYS, blocks for ever. */
async function hasItsClicks(projectId: string, { from, to, clicks }: BlockRow, transaction: Transaction) {
  const [row] = await queryRaw<{ there: number }>(
    'SELECT COUNT(*) AS there FROM clicks WHERE project_id = $1 AND occurred_at >= $2 AND occurred_at < $3',
    [projectId, sqlTime(from * QUARTER_MS), sqlTime(to * QUARTER_MS)],
    transaction,
  );
  return (row?.there ?? 0) >= clicks;
}

/** Drops a click that came after the other clicks of its block were purged: figures then lack it instead of them. */
async function dropLateClicks(
  projectId: string,
  block: BlockRow,
  backlog: BacklogRow[],
  transaction: Transaction,
): Promise<void> {
  if (!backlog.some(({ quarter }) => isWithin(quarter, block))) return;
  const { from, to } = block;
  await takeBacklog(projectId, from, to, transaction);
  log.error(
    { projectId, from: sqlTime(from * QUARTER_MS) },
    'clicks arrived after CLICK_RETENTION_DAYS and are not counted',
  );
}

async function dissolve(projectId: string, { from, to, clicks }: BlockRow, transaction: Transaction): Promise<void> {
  await returnToBacklog(projectId, { from, to, clicks }, transaction);
  for (const table of ['click_blocks', 'click_columns'])
    await queryRaw(`DELETE FROM ${table} WHERE project_id = $1 AND from_quarter = $2`, [projectId, from], transaction);
}

/** The quarters of the next block: with no other block between them, up to the size of a block. */
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

/** The clicks of a block are no longer those that were read for it. */
class BlockChanged extends Error {}

/** False when clicks arrived in these quarters meanwhile; the next run builds the block. */
async function buildBlock(projectId: string, group: BacklogRow[], yieldNow: () => Promise<void>): Promise<boolean> {
  const from = group[0]?.quarter as number;
  const to = (group.at(-1)?.quarter as number) + 1;
  const draft = new BlockDraft(from * QUARTER_MS);
  for await (const rows of readClicks(projectId, from * QUARTER_MS, to * QUARTER_MS, DIMENSION_NAMES)) {
    draft.add(rows);
    await yieldNow();
  }
  const contents = await columnsOf(projectId, draft, yieldNow);
  const write = async (transaction: Transaction) => {
    await lockRollups([projectId], transaction);
    const { blocks } = await readBlockRows(projectId, from, to, transaction);
    // Storing clicks takes no lock. What was stored since the backlog was read is among what is taken, or stays in it.
    const taken = await takeBacklog(projectId, from, to, transaction);
    if (blocks.length > 0 || !isSameBacklog(taken, group)) throw new BlockChanged();
    const version = await raiseVersion(projectId, transaction);
    if (draft.length > 0) {
      const block = [projectId, from, to, draft.length, version];
      await insertRows('click_blocks', BLOCK_COLUMNS, [block], transaction);
      const rows = contents.map(([name, content]) => [projectId, name, from, content]);
      await insertRows('click_columns', ['project_id', 'name', 'from_quarter', 'content'], rows, transaction);
    }
  };
  try {
    await inTransaction(write);
    return true;
  } catch (error) {
    if (error instanceof BlockChanged) return false;
    throw error;
  }
}

function isSameBacklog(one: readonly BacklogRow[], other: readonly BacklogRow[]): boolean {
  const isSame = (row: BacklogRow, at: number) => {
    const { quarter, clicks, rows, last } = other[at] as BacklogRow;
    return row.quarter === quarter && row.clicks === clicks && row.rows === rows && row.last === last;
  };
  return one.length === other.length && one.every(isSame);
}

/** The columns to store, by name; columns of zeros are left out. */
async function columnsOf(
  projectId: string,
  draft: BlockDraft,
  yieldNow: () => Promise<void>,
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
    await yieldNow();
  }
  return contents;
}

function isWithin(quarter: number, { from, to }: BlockRow): boolean {
  return quarter >= from && quarter < to;
}
