import { deleteSome } from '../../db/deleteSome.ts';

/** Deletes some counts of windows that are over, and gives whether there may be more. One that begins anew meanwhile stays. */
export async function purgeQuotas(batch: number): Promise<boolean> {
  // The limiter counts by the system's clock.
  const over = { table: 'rate_limits', where: 'expire < $1', values: [Date.now()], oldestBy: 'key' };
  return (await deleteSome({ ...over, batch })) === batch;
}
