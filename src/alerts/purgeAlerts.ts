import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { DAY_MS } from '../kernel/durations.ts';

/** Deletes up to `batch` alerts that have been over for long enough; whether there may be more. Open ones stay. */
export async function purgeAlerts(batch: number): Promise<boolean> {
  const before = clock.now() - config.alertRetentionDays * DAY_MS;
  const deleted = await inTransaction((transaction) =>
    selectBound(
      `DELETE FROM alerts WHERE id IN (SELECT id FROM alerts
         WHERE resolved_at < $1 ORDER BY resolved_at LIMIT ${batch}) RETURNING id`,
      [sqlTime(before)],
      transaction,
    ),
  );
  return deleted.length === batch;
}
