import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { QUEUE } from './queue.ts';

/** Deliveries of one statement. */
const BATCH = 500;

/**
 * Makes some of what waits for this webhook due at once, whatever its own next attempt was planned for, and gives whether
 * there may be more. What a process has in hand goes on, and what somebody sent by hand does not wait for the webhook.
 */
export async function releaseHeld(webhookId: string, transaction: Transaction): Promise<boolean> {
  // Said twice, since PostgreSQL looks again only at the outer condition when a row was changed meanwhile.
  const isWaiting = 'due_at > $1 AND claim IS NULL';
  const rows = await selectBound(
    `UPDATE deliveries SET due_at = $1, updated_at = $1,
       next_attempt_at = CASE WHEN next_attempt_at IS NULL THEN NULL ELSE $1 END
     WHERE ${isWaiting} AND id IN (SELECT id FROM deliveries WHERE webhook_id = $2
       AND queue IN (${QUEUE.automatic}, ${QUEUE.replay}) AND ${isWaiting} LIMIT ${BATCH})
     RETURNING id`,
    [sqlTime(clock.now()), webhookId],
    transaction,
  );
  return rows.length === BATCH;
}
