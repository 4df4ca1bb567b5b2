import { deleteOldest } from '../db/deleteOldest.ts';
import { insertInto, sqlTime } from '../db/jsonRows.ts';
import { queryPrepared, queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { firstIdAt } from '../kernel/ids.ts';
import type { Screen } from './matchClickStore.ts';

/** What the page in front of the app store reports of the device of a click. */
export interface ReportedDevice {
  /** An IANA zone, such as `Europe/Berlin`. */
  timezone: string;
  screen: Screen;
}

const COLUMNS = { click_id: 'text', project_id: 'text', timezone: 'text', screen: 'json', created_at: 'time' } as const;

/** Stores the first report of a click; later ones change nothing. */
export async function storeClickDevice(
  { clickId, projectId }: { clickId: string; projectId: string },
  { timezone, screen }: ReportedDevice,
): Promise<void> {
  // Repeated reports must not queue for the single writer of the embedded store.
  const known = await queryPrepared('SELECT 1 AS one FROM click_devices WHERE click_id = $1', [clickId]);
  if (known.length > 0) return;
  const row = [clickId, projectId, timezone, screen, sqlTime(clock.now())];
  const onConflict = 'ON CONFLICT DO NOTHING';
  await inTransaction((transaction) => insertInto('click_devices', COLUMNS, [row], { transaction, onConflict }));
}

/** Deletes the reports of the clicks that an install used. */
export async function deleteClickDevices(
  { projectId, installId }: { projectId: string; installId: string },
  transaction: Transaction,
): Promise<void> {
  await queryRaw(
    `DELETE FROM click_devices WHERE click_id IN
       (SELECT click_id FROM used_clicks WHERE project_id = $1 AND install_id = $2)`,
    [projectId, installId],
    transaction,
  );
}

/** As long as clicks may match an install. */
const DAYS_KEPT = 3;

/** Deletes up to `batch` old device reports of pages. Returns whether there may be more. */
export async function purgeClickDevices(batch: number): Promise<boolean> {
  const values = [firstIdAt('clk', clock.now() - DAYS_KEPT * DAY_MS)];
  const old = { table: 'click_devices', where: 'click_id < $1', values, oldestBy: 'click_id' };
  return (await deleteOldest({ ...old, batch })) === batch;
}
