import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { firstIdAt } from '../kernel/ids.ts';

/** Rows of one transaction: some milliseconds, for which on SQLite every other write waits. */
const BATCH = 500;

const DAY_MS = 86_400_000;

/**
 * Deletes some of what is kept no longer, and gives whether there may be more: deliveries with their attempts, events,
 * and what belonged to webhooks that were deleted. What is still to be sent stays.
 */
export async function purgeSome(): Promise<boolean> {
  const deliveries = await purgeDeliveries();
  const events = await purgeEvents();
  const deleted = await purgeDeletedWebhooks();
  return Math.max(deliveries, events, deleted) === BATCH;
}

/** Ids follow from the time of the event, so the oldest are found by their primary key. */
async function purgeDeliveries(): Promise<number> {
  const before = clock.now() - config.deliveryRetentionDays * DAY_MS;
  return count(
    `DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries
       WHERE id < $1 AND created_at < $2 AND due_at IS NULL ORDER BY id LIMIT ${BATCH}) RETURNING id`,
    [firstIdAt('dlv', before), sqlTime(before)],
  );
}

async function purgeEvents(): Promise<number> {
  const before = clock.now() - config.eventRetentionDays * DAY_MS;
  return count(
    `DELETE FROM events WHERE id IN (SELECT id FROM events
       WHERE id < $1 AND created_at < $2 AND fanned_out_at IS NOT NULL ORDER BY id LIMIT ${BATCH}) RETURNING id`,
    [firstIdAt('evt', before), sqlTime(before)],
  );
}

async function purgeDeletedWebhooks(): Promise<number> {
  const deliveries = await count(
    `DELETE FROM deliveries WHERE id IN (SELECT deliveries.id FROM webhooks
       JOIN deliveries ON deliveries.webhook_id = webhooks.id
       WHERE webhooks.deleted_at IS NOT NULL LIMIT ${BATCH}) RETURNING id`,
    [],
  );
  if (deliveries > 0) return deliveries;
  return count(
    `DELETE FROM webhooks WHERE id IN (SELECT id FROM webhooks WHERE deleted_at IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM deliveries WHERE webhook_id = webhooks.id) LIMIT ${BATCH}) RETURNING id`,
    [],
  );
}

async function count(sql: string, values: unknown[]): Promise<number> {
  return inTransaction(async (transaction) => (await selectBound(sql, values, transaction)).length);
}
