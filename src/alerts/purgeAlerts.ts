import { deleteSome } from '../db/deleteSome.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { DAY_MS } from '../kernel/durations.ts';

/** Deletes up to `batch` alerts that were resolved long enough ago; whether there may be more. Open ones stay. */
export async function purgeAlerts(batch: number): Promise<boolean> {
  const before = clock.now() - config.alertRetentionDays * DAY_MS;
  const where = 'resolved_at < $1';
  return (
    (await deleteSome({ table: 'alerts', where, values: [sqlTime(before)], oldestBy: 'resolved_at', batch })) === batch
  );
}
