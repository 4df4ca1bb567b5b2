import { DAY_MS } from '../clicks/periods.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { selectBound } from '../db/selectBound.ts';
import { clock } from '../kernel/clock.ts';
import { firstIdAt } from '../kernel/ids.ts';

/** As long as the clicks themselves wait for an install. */
const DAYS_KEPT = 3;

/** Deletes some of what pages told of devices whose clicks are older than that, and gives whether there may be more. */
export async function purgeClickDevices(batch: number): Promise<boolean> {
  const end = firstIdAt('clk', clock.now() - DAYS_KEPT * DAY_MS);
  const deleted = await inTransaction((transaction) =>
    selectBound(
      `DELETE FROM click_devices WHERE click_id IN (SELECT click_id FROM click_devices
         WHERE click_id < $1 ORDER BY click_id LIMIT ${batch}) RETURNING click_id`,
      [end],
      transaction,
    ),
  );
  return deleted.length === batch;
}
