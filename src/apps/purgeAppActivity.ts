import { inTransaction } from '../db/inTransaction.ts';
import { selectBound } from '../db/selectBound.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { firstIdAt, toUuid } from '../kernel/ids.ts';

/** Deletes some openings and events that are kept no longer, and gives whether there may be more. Their ids tell when they came. */
export async function purgeAppActivity(batch: number): Promise<boolean> {
  const before = toUuid(firstIdAt('evt', clock.now() - config.appEventRetentionDays * 86_400_000));
  let most = 0;
  for (const table of ['opens', 'app_events']) {
    const rows = await inTransaction((transaction) =>
      selectBound(
        `DELETE FROM ${table} WHERE id IN
           (SELECT id FROM ${table} WHERE id < $1 AND uncollected = $2 ORDER BY id LIMIT ${batch}) RETURNING id`,
        [before, false],
        transaction,
      ),
    );
    most = Math.max(most, rows.length);
  }
  return most === batch;
}
