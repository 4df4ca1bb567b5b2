import { epochMs, limitInOrder } from '../db/dialects.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { dropPartitions, type OldPartition } from '../db/partitions/dropPartitions.ts';
import { deletedOneByOneUntil } from '../db/partitions/readPartitions.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
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
 * an hour whose clicks are not all in blocks: figures of all time come from blocks. Clicks in a partition that will be dropped
 * as a whole stay until then.
 */
export async function purgeClicks(afterId = '', batch = BATCH): Promise<string | null> {
  const before = keptFrom();
  const end = firstIdAt('clk', await deletedOneByOneUntil('clicks', before));
  // By id, which is in the order of time: clicks that have to stay are then examined once and not in every batch.
  const [last] = await queryRaw<{ id: string }>(
    `SELECT id FROM clicks WHERE id > $1 AND id < $2 ORDER BY id ${limitInOrder(1)} OFFSET $3`,
    [afterId, end, batch - 1],
  );
  await deleteBetween(afterId, last?.id ?? end, before);
  return last?.id ?? null;
}

/** The start of the first UTC day whose clicks are kept. */
function keptFrom(): number {
  return Math.floor(clock.now() / DAY_MS - config.clickRetentionDays) * DAY_MS;
}

/** Drops the partitions that have nothing but clicks older than CLICK_RETENTION_DAYS, unless `purgeClicks` would keep some. */
export function dropClicks(): Promise<void> {
  return dropPartitions('clicks', keptFrom(), { isNeeded });
}

/** A day at both ends, because a click's time may differ from that of its id. */
async function isNeeded({ name, from, to }: OldPartition, transaction: Transaction): Promise<boolean> {
  const quarters = [from ?? 0, to].map((ms, at) => Math.floor((ms + (at === 0 ? -DAY_MS : DAY_MS)) / QUARTER_MS));
  const isCounted = (table: string) => `EXISTS (SELECT 1 FROM ${table} WHERE quarter >= $1 AND quarter < $2)`;
  const [row] = await queryRaw<{ needed: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM ${name} WHERE uncollected = true)
       OR ${isCounted('click_arrivals')} OR ${isCounted('click_backlog')} AS needed`,
    quarters,
    transaction,
  );
  return row?.needed ?? false;
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
