import { inTransaction } from '../db/inTransaction.ts';
import { withJsonRows } from '../db/jsonRows.ts';
import { literal, Op } from '../db/sequelize.ts';
import { inSeconds, now } from '../kernel/clock.ts';
import { Delivery } from '../models/Delivery.ts';

/** Deliveries of a webhook that is switched off wait, but for tests. */
const GOES_OUT = `(webhook_id NOT IN (SELECT id FROM webhooks WHERE status = 'disabled')
  OR EXISTS (SELECT 1 FROM events WHERE events.id = event_id AND events.webhook_id IS NOT NULL))`;

/**
 * Deliveries whose attempt has been due for `graceSeconds`, that nobody has in hand and whose webhook takes them, oldest
 * first.
 */
export async function overdueDeliveries(graceSeconds: number, limit: number): Promise<Delivery[]> {
  return Delivery.findAll({
    where: {
      status: 'pending',
      nextAttemptAt: { [Op.lte]: inSeconds(-graceSeconds) },
      [Op.or]: [{ claimedUntil: null }, { claimedUntil: { [Op.lte]: now() } }],
      [Op.and]: literal(GOES_OUT),
    },
    order: [['nextAttemptAt', 'ASC']],
    limit,
  });
}

/** Notes the jobs that deliveries were given anew. */
export async function noteJobs(deliveries: Delivery[]): Promise<void> {
  const rows = deliveries.map(({ id, jobId }) => [id, jobId]);
  await inTransaction((transaction) =>
    withJsonRows(
      { id: 'text', job_id: 'text' },
      rows,
      'UPDATE deliveries SET job_id = given.job_id FROM given WHERE deliveries.id = given.id',
      transaction,
    ),
  );
}
