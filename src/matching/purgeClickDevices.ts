import { deleteSome } from '../db/deleteSome.ts';
import { clock } from '../kernel/clock.ts';
import { DAY_MS } from '../kernel/durations.ts';
import { firstIdAt } from '../kernel/ids.ts';

/** As long as the clicks themselves wait for an install. */
const DAYS_KEPT = 3;

/** Deletes some of what pages told of devices whose clicks are older than that, and gives whether there may be more. */
export async function purgeClickDevices(batch: number): Promise<boolean> {
  const values = [firstIdAt('clk', clock.now() - DAYS_KEPT * DAY_MS)];
  const old = { table: 'click_devices', where: 'click_id < $1', values, oldestBy: 'click_id' };
  return (await deleteSome({ ...old, batch })) === batch;
}
