import { deleteOldest } from '../db/deleteOldest.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';

/** Deletes up to `batch` alerts resolved more than ALERT_RETENTION_DAYS ago. Returns whether there may be more. */
export async function purgeAlerts(batch: number): Promise<boolean> {
  const before = clock.now() - config.alertRetentionDays * DAY_MS;
  const where = 'resolved_at < $1';
  return (
    (await deleteOldest({ table: 'alerts', where, values: [sqlTime(before)], oldestBy: 'resolved_at', batch })) ===
    batch
  );
}
