import { deleteSome } from '../db/deleteSome.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { DAY_MS } from '../kernel/durations.ts';

/** Deletes up to `batch` entries of the history of health checks that are kept no longer; whether there may be more. */
export async function purgeHealthHistory(batch: number): Promise<boolean> {
  const values = [sqlTime(clock.now() - config.healthHistoryDays * DAY_MS)];
  const old = { table: 'health_history', where: 'until < $1', values, oldestBy: 'until' };
  return (await deleteSome({ ...old, batch })) === batch;
}
