import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { firstIdAt } from '../kernel/ids.ts';

const BATCH = 500;
const DAY_MS = 86_400_000;

/** Deletes some requests for unknown slugs that are older than clicks are kept, and gives whether there may be more. */
export async function purgeOrphans(): Promise<boolean> {
  const before = clock.now() - config.clickRetentionDays * DAY_MS;
  const deleted = await inTransaction((transaction) =>
    selectBound(
      `DELETE FROM orphans WHERE id IN (SELECT id FROM orphans
         WHERE id < $1 AND occurred_at < $2 ORDER BY id LIMIT ${BATCH}) RETURNING id`,
      [firstIdAt('orp', before), sqlTime(before)],
      transaction,
    ),
  );
  return deleted.length === BATCH;
}
