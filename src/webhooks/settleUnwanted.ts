import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { clock } from '../kernel/clock.ts';

/** Ends the way of those of these events whose teams have no webhook, all at once; gives the ids of the others. */
export async function settleUnwanted(eventIds: string[]): Promise<string[]> {
  const settled = await inTransaction((transaction) =>
    withJsonRows<{ id: string }>(
      { id: 'text' },
      eventIds.map((id) => [id]),
      `UPDATE events SET fanned_out_at = $2 WHERE id IN (SELECT given.id FROM given) AND fanned_out_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM webhooks WHERE webhooks.team_id = events.team_id) RETURNING id`,
      transaction,
      [sqlTime(clock.now())],
    ),
  );
  const ended = new Set(settled.map(({ id }) => id));
  return eventIds.filter((id) => !ended.has(id));
}
