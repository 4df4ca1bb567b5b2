import { among, amongValue } from '../../db/among.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { sqlTime } from '../../db/jsonRows.ts';
import { selectBound } from '../../db/selectBound.ts';
import { clock } from '../../kernel/clock.ts';
import { QUEUE } from '../queue.ts';

const IS_FREE = 'deleted_at IS NULL AND (lane_until IS NULL OR lane_until <= $1)';

const hasDue = (queue: number) =>
  `EXISTS (SELECT 1 FROM deliveries WHERE webhook_id = webhooks.id AND queue = ${queue} AND due_at <= $1)`;

/** Those of these webhooks whose lane no process has. */
export async function freeWebhooks(ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const condition = `${IS_FREE} AND ${among('id', '$2')}`;
  return idsOf(`SELECT id FROM webhooks WHERE ${condition}`, [sqlTime(clock.now()), amongValue(ids)]);
}

/** Webhooks with something that could be sent now, and whose lane no process has. */
export async function waitingWebhooks(): Promise<string[]> {
  const sql = `SELECT id FROM webhooks WHERE ${IS_FREE} AND (${hasDue(QUEUE.byHand)}
    OR (status = 'enabled' AND (circuit = 'closed' OR next_probe_at <= $1)
      AND (${hasDue(QUEUE.automatic)} OR ${hasDue(QUEUE.replay)})))`;
  return idsOf(sql, [sqlTime(clock.now())]);
}

/** The embedded store has one process: what is in hand at its start was in the hand of one that was killed. */
export async function freeLanes(): Promise<void> {
  const now = sqlTime(clock.now());
  await inTransaction(async (transaction) => {
    await selectBound('UPDATE webhooks SET lane = NULL, lane_until = NULL WHERE lane IS NOT NULL', [], transaction);
    await selectBound(
      'UPDATE deliveries SET due_at = $1, claim = NULL WHERE claim IS NOT NULL AND due_at > $1',
      [now],
      transaction,
    );
  });
}

async function idsOf(sql: string, values: unknown[]): Promise<string[]> {
  return (await selectBound<{ id: string }>(sql, values)).map(({ id }) => id);
}
