import { type Dialect, dialect } from '../db/database.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { DAY_MS } from '../kernel/durations.ts';
import { firstIdAt } from '../kernel/ids.ts';
import { takeTurns } from './takeTurns.ts';

/** Clicks looked at in one transaction, unless the caller says otherwise. */
const BATCH = 500;

/** Number of the quarter of an hour that a click lies in. */
const QUARTER: Record<Dialect, string> = {
  sqlite: "CAST(strftime('%s', substr(occurred_at, 1, 19)) AS INTEGER) / 900",
  postgres: 'CAST(FLOOR(EXTRACT(EPOCH FROM occurred_at) / 900) AS INTEGER)',
};

/**
 * Deletes clicks that are kept no longer, among the next `batch` ones after `afterId` (at first none), and gives where to go on;
 * null: that was all. Those stay of which webhooks are still to be told, and those of a quarter that has clicks in no
 * block: figures of all time are made from blocks. A UTC day goes as a whole.
 */
export async function purgeClicks(afterId = '', batch = BATCH): Promise<string | null> {
  const before = Math.floor(clock.now() / DAY_MS - config.clickRetentionDays) * DAY_MS;
  const end = firstIdAt('clk', before);
  // By id, which is in the order of time: what has to stay is walked over once and not with every batch.
  const [last] = await selectBound<{ id: string }>(
    'SELECT id FROM clicks WHERE id > $1 AND id < $2 ORDER BY id LIMIT 1 OFFSET $3',
    [afterId, end, batch - 1],
  );
  await deleteBetween(afterId, last?.id ?? end, before);
  return last?.id ?? null;
}

async function deleteBetween(afterId: string, upToId: string, beforeMs: number): Promise<void> {
  await inTransaction(async (transaction) => {
    const projects = await selectBound<{ id: string }>(
      'SELECT DISTINCT project_id AS id FROM clicks WHERE id > $1 AND id <= $2',
      [afterId, upToId],
      transaction,
    );
    if (projects.length === 0) return;
    // Nobody may find a late click meanwhile and give up a block, to make it anew from clicks that go here.
    await takeTurns(
      projects.map(({ id }) => id),
      transaction,
    );
    await selectBound(
      `DELETE FROM clicks WHERE id > $1 AND id <= $2 AND occurred_at < $3 AND uncollected = false
         AND NOT EXISTS (SELECT 1 FROM click_backlog
           WHERE click_backlog.project_id = clicks.project_id AND click_backlog.quarter = ${QUARTER[dialect()]})`,
      [afterId, upToId, sqlTime(beforeMs)],
      transaction,
    );
  });
}
