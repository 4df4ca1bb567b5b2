import { deleteSome } from '../db/deleteSome.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { DAY_MS } from '../kernel/durations.ts';
import { firstIdAt } from '../kernel/ids.ts';

/** Deletes up to `batch` audit entries that are kept no longer; whether there may be more. */
export async function purgeAudit(batch: number): Promise<boolean> {
  const before = clock.now() - config.auditRetentionDays * DAY_MS;
  const values = [firstIdAt('aud', before), sqlTime(before)];
  // Their ids are in the order of time: the oldest are found without an index of their own.
  const old = { table: 'audit_entries', where: 'id < $1 AND created_at < $2', values, oldestBy: 'id' };
  return (await deleteSome({ ...old, batch })) === batch;
}
