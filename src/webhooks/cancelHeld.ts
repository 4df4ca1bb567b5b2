import { among, amongValue } from '../db/among.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import type { Webhook } from '../models/Webhook.ts';
import { QUEUE } from './queue.ts';

/** Deliveries of one statement. */
const BATCH = 500;

/** Whether what waits for a webhook that is switched off has waited for longer than it may. */
export function isHeldForTooLong({ disabledAt }: Pick<Webhook, 'disabledAt'>): boolean {
  return disabledAt !== null && disabledAt.getTime() <= heldSince();
}

/** Cancels some of what has waited for too long for webhooks that are switched off, and gives whether there may be more. */
export async function cancelHeldForTooLong(): Promise<boolean> {
  const webhookIds = await webhooksHeldForTooLong();
  if (webhookIds.length === 0) return false;
  return (await inTransaction((transaction) => cancelHeld(webhookIds, transaction))) === BATCH;
}

/** Webhooks that were switched off so long ago that what waits for them is cancelled. */
export async function webhooksHeldForTooLong(): Promise<string[]> {
  const rows = await selectBound<{ id: string }>(
    'SELECT id FROM webhooks WHERE disabled_at IS NOT NULL AND disabled_at <= $1 AND deleted_at IS NULL',
    [sqlTime(heldSince())],
  );
  return rows.map(({ id }) => id);
}

/**
 * Cancels some of what waits for these webhooks, repeats of a replay among it, and gives how many; 0: nothing waits any
 * more. What somebody sent by hand, or a process has in hand, goes on.
 */
export async function cancelHeld(webhookIds: string[], transaction: Transaction): Promise<number> {
  const now = sqlTime(clock.now());
  const rows = await selectBound(
    `UPDATE deliveries SET status = CASE status WHEN 'pending' THEN 'cancelled' ELSE status END,
       next_attempt_at = NULL, due_at = NULL, claim = NULL, resends = 0, updated_at = $1
     WHERE id IN (SELECT id FROM deliveries WHERE ${among('webhook_id', '$2')}
       AND queue IN (${QUEUE.automatic}, ${QUEUE.replay}) AND due_at IS NOT NULL
       AND (claim IS NULL OR due_at <= $1) LIMIT ${BATCH})
     RETURNING id`,
    [now, amongValue(webhookIds)],
    transaction,
  );
  return rows.length;
}

function heldSince(): number {
  return clock.now() - config.webhookHeldSeconds * 1000;
}
