import { epochMs } from '../db/dialects.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock, DAY_MS, QUARTER_MS } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { firstIdAt } from '../kernel/ids.ts';
import { lockRollups } from './backlogStore.ts';

/** Clicks examined in one transaction by default. */
const BATCH = 500;

/**
 * Deletes clicks that are older than CLICK_RETENTION_DAYS, by whole UTC days, among the `batch` clicks after `afterId`. Returns the
 * id to continue after; null when there are no more. Clicks stay that webhooks have not been sent yet, and those of a quarter of
 * an hour whose clicks are not all in blocks: figures of all time come from blocks.
 */
export async function purgeClicks(afterId = '', batch = BATCH): Promise<string | null> {
  const before = Math.floor(clock.now() / DAY_MS - config.clickRetentionDays) * DAY_MS;
  const end = firstIdAt('clk', before);
  // By id, which is in the order of time: clicks that have to stay are then examined once and not in every batch.
  const [last] = await queryRaw<{ id: string }>(
    'SELECT id FROM clicks WHERE id > $1 AND id < $2 ORDER BY id LIMIT 1 OFFSET $3',
    [afterId, end, batch - 1],
  );
  await deleteBetween(afterId, last?.id ?? end, before);
  return last?.id ?? null;
}

async function deleteBetween(afterId: string, upToId: string, beforeMs: number): Promise<void> {
  // Counted since the epoch.
  const quarter = `CAST((${epochMs('clicks.occurred_at')}) / ${QUARTER_MS} AS INTEGER)`;
  await inTransaction(async (transaction) => {
    const projects = await queryRaw<{ id: string }>(
      'SELECT DISTINCT project_id AS id FROM clicks WHERE id > $1 AND id <= $2',
      [afterId, upToId],
      transaction,
    );
    if (projects.length === 0) return;
    // While clicks are deleted, no process may dissolve a block because of a late click, to rebuild it from what is left.
    await lockRollups(
      projects.map(({ id }) => id),
      transaction,
    );
    await queryRaw(
      `DELETE FROM clicks WHERE id > $1 AND id <= $2 AND occurred_at < $3 AND uncollected = false
         AND NOT EXISTS (SELECT 1 FROM click_arrivals AS arrived
           WHERE arrived.project_id = clicks.project_id AND arrived.quarter = ${quarter})
         AND NOT EXISTS (SELECT 1 FROM click_backlog
           WHERE click_backlog.project_id = clicks.project_id AND click_backlog.quarter = ${quarter})`,
      [afterId, upToId, sqlTime(beforeMs)],
      transaction,
    );
  });
}
