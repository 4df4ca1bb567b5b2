import { deleteSome } from '../db/deleteSome.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { DAY_MS } from '../kernel/durations.ts';

/**
 * Deletes up to `batch` mails that are kept no longer, also those that could not be sent in all that time: what they tell
 * is of no use any more. Gives whether there may be more.
 */
export async function purgeMails(batch: number): Promise<boolean> {
  const values = [sqlTime(clock.now() - config.mailRetentionDays * DAY_MS)];
  const old = { table: 'mails', where: 'created_at < $1', values, oldestBy: 'created_at' };
  return (await deleteSome({ ...old, batch })) === batch;
}
