import { deleteSome } from '../db/deleteSome.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { DAY_MS } from '../kernel/durations.ts';
import { firstIdAt } from '../kernel/ids.ts';

/** Deletes some requests for unknown slugs that are older than clicks are kept, and gives whether there may be more. */
export async function purgeOrphans(batch: number): Promise<boolean> {
  const before = clock.now() - config.clickRetentionDays * DAY_MS;
  const values = [firstIdAt('orp', before), sqlTime(before)];
  const old = { table: 'orphans', where: 'id < $1 AND occurred_at < $2', values, oldestBy: 'id' };
  return (await deleteSome({ ...old, batch })) === batch;
}
