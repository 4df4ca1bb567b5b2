import { dialect } from '../../db/database.ts';
import { deleteSome } from '../../db/deleteSome.ts';
import { STORE_NOW_MS } from './counters.ts';

/** Deletes some counts of windows that are over, and gives whether there may be more. One that begins anew meanwhile stays. */
export async function purgeQuotas(batch: number): Promise<boolean> {
  // By the clock that the counts go by; on SQLite those of days alone are in the store.
  const endsAt =
    dialect() === 'postgres'
      ? { where: `expire < ${STORE_NOW_MS}`, values: [] }
      : { where: 'expire < $1', values: [Date.now()] };
  const over = { table: 'rate_limits', ...endsAt, oldestBy: 'key' };
  return (await deleteSome({ ...over, batch })) === batch;
}
