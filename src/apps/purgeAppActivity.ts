import { deleteSome } from '../db/deleteSome.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { DAY_MS } from '../kernel/durations.ts';
import { firstIdAt, toUuid } from '../kernel/ids.ts';

/** Deletes some openings and events that are kept no longer, and gives whether there may be more. Their ids tell when they came. */
export async function purgeAppActivity(batch: number): Promise<boolean> {
  const before = toUuid(firstIdAt('evt', clock.now() - config.appEventRetentionDays * DAY_MS));
  const old = { where: 'id < $1 AND uncollected = $2', values: [before, false], oldestBy: 'id', batch };
  const opens = await deleteSome({ ...old, table: 'opens' });
  const events = await deleteSome({ ...old, table: 'app_events' });
  return Math.max(opens, events) === batch;
}
