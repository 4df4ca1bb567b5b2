import { deleteSome } from '../db/deleteSome.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { DAY_MS } from '../kernel/durations.ts';
import { firstIdAt } from '../kernel/ids.ts';

/**
 * Deletes some deliveries, with their attempts, that are kept no longer, and gives whether there may be more. What is
 * still to be sent stays. Ids follow from the time of the event, so the oldest are found by their primary key.
 */
export async function purgeDeliveries(batch: number): Promise<boolean> {
  const before = clock.now() - config.deliveryRetentionDays * DAY_MS;
  const values = [firstIdAt('dlv', before), sqlTime(before)];
  const where = 'id < $1 AND created_at < $2 AND due_at IS NULL';
  return (await deleteSome({ table: 'deliveries', where, values, oldestBy: 'id', batch })) === batch;
}

/** Deletes some events that are kept no longer, and gives whether there may be more; those whose deliveries are not made yet stay. */
export async function purgeEvents(batch: number): Promise<boolean> {
  const before = clock.now() - config.eventRetentionDays * DAY_MS;
  const values = [firstIdAt('evt', before), sqlTime(before)];
  const where = 'id < $1 AND created_at < $2 AND fanned_out_at IS NOT NULL';
  return (await deleteSome({ table: 'events', where, values, oldestBy: 'id', batch })) === batch;
}

/** Deletes some of what belonged to a webhook that was deleted, at last the webhook, and gives whether there may be more. */
export async function purgeDeletedWebhooks(batch: number): Promise<boolean> {
  const [webhook] = await selectBound<{ id: string }>(
    'SELECT id FROM webhooks WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 1',
    [],
  );
  if (!webhook) return false;
  const values = [webhook.id];
  const owned = { table: 'deliveries', where: 'webhook_id = $1', values, oldestBy: 'created_at, id', batch };
  if ((await deleteSome(owned)) > 0) return true;
  const where = 'id = $1 AND NOT EXISTS (SELECT 1 FROM deliveries WHERE webhook_id = $1)';
  return (await deleteSome({ table: 'webhooks', where, values, oldestBy: 'id', batch })) > 0;
}
