import { inTransaction } from '../db/inTransaction.ts';
import { withJsonRows } from '../db/jsonRows.ts';
import { Op } from '../db/sequelize.ts';
import { inSeconds, now } from '../kernel/clock.ts';
import { Delivery } from '../models/Delivery.ts';

/** Deliveries whose attempt has been due for `graceSeconds` and that nobody has in hand, oldest first. */
export async function overdueDeliveries(graceSeconds: number, limit: number): Promise<Delivery[]> {
  return Delivery.findAll({
    where: {
      status: 'pending',
      nextAttemptAt: { [Op.lte]: inSeconds(-graceSeconds) },
      [Op.or]: [{ claimedUntil: null }, { claimedUntil: { [Op.lte]: now() } }],
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
