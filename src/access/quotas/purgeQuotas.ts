import { inTransaction } from '../../db/inTransaction.ts';
import { selectBound } from '../../db/selectBound.ts';

const BATCH = 500;

/** Deletes some counts of windows that are over, and gives whether there may be more. */
export async function purgeQuotas(): Promise<boolean> {
  // Asked twice: a count that begins anew while it is looked at stays. The limiter counts by the system's clock.
  const deleted = await inTransaction((transaction) =>
    selectBound(
      `DELETE FROM rate_limits WHERE expire < $1
         AND key IN (SELECT key FROM rate_limits WHERE expire < $1 LIMIT ${BATCH}) RETURNING key`,
      [Date.now()],
      transaction,
    ),
  );
  return deleted.length === BATCH;
}
